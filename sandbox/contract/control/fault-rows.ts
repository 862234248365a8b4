import type { Static } from "typebox";
import * as Type from "typebox";
import { Absent, Nullable, OneOf, Text, Timestamp } from "../schema.ts";

const Id = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Ordinal = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000, description });

/** Operations a fault can be about beside those of the contract and the extensions. */
export const webhookCalls = ["webhooks.subscribe", "webhooks.secret"] as const;
export const ANY_OPERATION = "*";
/** The longest a fault delays a call, in milliseconds. */
export const LONGEST_DELAY_MS = 120_000;

export const faultKinds = ["error", "delay", "drop", "rate_limit"] as const;
export type FaultKind = (typeof faultKinds)[number];

export const faultTimings = ["before", "after"] as const;
/** Whether the work of the call was done when the fault came. */
export type FaultTiming = (typeof faultTimings)[number];

const When = Type.Optional(
  OneOf(
    faultTimings,
    "before (default): the call is not carried out, not even its credentials are checked; after: it is carried out, and the caller does not learn what came of it as usual",
  ),
);

/** Which of the calls a rule is about it fires on; left out, all of them. Counted from when it was armed. */
export const FaultCalls = Type.Union([
  Type.Object({ nth: Ordinal("This one alone"), first: Absent(), every: Absent() }),
  Type.Object({ first: Ordinal("So many of the first"), nth: Absent(), every: Absent() }),
  Type.Object({ every: Ordinal("One in so many"), nth: Absent(), first: Absent() }),
]);
export type FaultCalls = Static<typeof FaultCalls>;

export const FaultError = Type.Object({
  code: Type.Optional(
    Type.String({
      pattern: "^[a-z][a-z0-9_]{0,63}$",
      description:
        "Answered in the operation's own form; a code of the contract has the contract's status, any other needs a status",
    }),
  ),
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
  message: Type.Optional(Text("Goes with the code")),
  body: Type.Optional(Type.Unknown({ description: "Any JSON, sent as it is, instead of a code" })),
  when: When,
});
export type FaultError = Static<typeof FaultError>;

const none = { error: Absent(), delay: Absent(), drop: Absent(), rate_limit: Absent() };

/** What happens to a call: exactly one of the variants. */
export const FaultEffect = Type.Union([
  Type.Object({ ...none, error: FaultError }),
  Type.Object({
    ...none,
    delay: Type.Object({ ms: Type.Integer({ minimum: 1, maximum: LONGEST_DELAY_MS }), when: When }),
  }),
  Type.Object({ ...none, drop: Type.Object({ when: When }) }),
  Type.Object({
    ...none,
    rate_limit: Type.Object({
      limit: Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Calls that pass in a window" }),
      window_seconds: Type.Integer({ minimum: 1, maximum: 86_400, description: "Real time, from its first call on" }),
    }),
  }),
]);
export type FaultEffect = Static<typeof FaultEffect>;

/** A rule that lets calls fail. */
export const Fault = Type.Object({
  id: Id,
  name: Nullable(Type.String()),
  operation: Type.String({ description: "An operation's name, or * for any" }),
  integration_id: Nullable(Type.String({ description: "Whose calls; null: anybody's, without credentials too" })),
  calls: Nullable(FaultCalls),
  effect: FaultEffect,
  kind: OneOf(faultKinds),
  uses: Nullable(Type.Integer({ minimum: 1, description: "How often it may fire; null: as often as calls come" })),
  armed_at: Timestamp("Real time"),
  expires_at: Nullable(Timestamp("Real time; null: until it is used up or cleared")),
  state: OneOf(["armed", "used_up", "expired"]),
  matched: Type.Integer({ minimum: 0, description: "Calls it was about since it was armed, whether it fired or not" }),
  fired: Count,
  left: Nullable(Type.Integer({ minimum: 0, description: "How often it can still fire; null: no limit" })),
  last_fired_at: Nullable(Timestamp()),
  sentence: Type.String({ description: "What it does, for the person who reads it" }),
});
export type Fault = Static<typeof Fault>;

/** A fault that met a call, in the order it did. Its trace is the call's. */
export const FaultFiring = Type.Object({
  fault_id: Id,
  name: Nullable(Type.String()),
  kind: OneOf(faultKinds),
  when: OneOf(faultTimings),
  operation: Type.String(),
  integration_id: Nullable(Id),
  number: Type.Integer({ minimum: 1, description: "How often it has fired now" }),
  left: Nullable(Count),
  sentence: Type.String({ description: "What it did to the call" }),
});
export type FaultFiring = Static<typeof FaultFiring>;

/** Which faults made an answer what it is. */
export const FaultMark = Type.Object({ id: Id, kind: OneOf(faultKinds), when: OneOf(faultTimings) });
export type FaultMark = Static<typeof FaultMark>;
