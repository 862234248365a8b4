import type { Static } from "typebox";
import * as Type from "typebox";
import { eventTypes } from "../event-types.ts";
import { Absent, Nullable, OneOf, Text, Timestamp } from "../schema.ts";

const Id = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Ordinal = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000, description });

/** Operations a fault can be about beside those of the contract and the extensions. */
export const webhookCalls = ["webhooks.subscribe", "webhooks.secret"] as const;
export const ANY_OPERATION = "*";
/** The longest a fault delays a call, in milliseconds. */
export const LONGEST_DELAY_MS = 120_000;
/** The longest a fault leaves a call without an answer, in milliseconds. */
export const LONGEST_HANG_MS = 600_000;

export const faultKinds = ["error", "delay", "drop", "rate_limit", "hang", "truncate"] as const;
export type FaultKind = (typeof faultKinds)[number];

export const faultTargets = ["calls", "attempts"] as const;
/** What a fault meets: calls to the service, or attempts to send a notification. */
export type FaultTarget = (typeof faultTargets)[number];
/** What an attempt can meet. */
export const attemptKinds = ["error", "delay", "drop"] as const satisfies readonly FaultKind[];

export const faultTimings = ["before", "after"] as const;
/** Whether the work of the call was done when the fault came, or the notification was sent. */
export type FaultTiming = (typeof faultTimings)[number];

const When = Type.Optional(OneOf(faultTimings, "before (default) or after the work was done"));

const anyCall = { nth: Absent(), first: Absent(), every: Absent(), probability: Absent() };

/** Which of the calls or attempts a rule is about it fires on; left out, all of them. Counted from when it was armed. */
export const FaultCalls = Type.Union(
  [
    Type.Object({ ...anyCall, nth: Ordinal("This one alone") }),
    Type.Object({ ...anyCall, first: Ordinal("So many of the first") }),
    Type.Object({ ...anyCall, every: Ordinal("One in so many") }),
    Type.Object({
      ...anyCall,
      probability: Type.Number({ minimum: 0, maximum: 1, description: "How likely each one is to meet it" }),
      seed: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 4_294_967_295,
          description: "The same ones fire each time with the same seed; default: 1",
        }),
      ),
    }),
  ],
  { description: "Which calls it meets; left out: all" },
);
export type FaultCalls = Static<typeof FaultCalls>;

export const FaultError = Type.Object(
  {
    code: Type.Optional(
      Type.String({
        pattern: "^[a-z][a-z0-9_]{0,63}$",
        description: "In the operation's own form; one that is not of the contract needs a status",
      }),
    ),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599, description: "Its status" })),
    message: Type.Optional(Text("Goes with the code")),
    body: Type.Optional(Type.Unknown({ description: "Any JSON, sent as it is, instead of a code" })),
    when: When,
  },
  { description: "Answers an error" },
);
export type FaultError = Static<typeof FaultError>;

const none = {
  error: Absent(),
  delay: Absent(),
  drop: Absent(),
  rate_limit: Absent(),
  hang: Absent(),
  truncate: Absent(),
};

/** What happens to a call or an attempt: exactly one of the variants. Attempts meet `error`, `delay` and `drop`. */
export const FaultEffect = Type.Union(
  [
    Type.Object({ ...none, error: FaultError }),
    Type.Object({
      ...none,
      delay: Type.Object(
        { ms: Type.Integer({ minimum: 1, maximum: LONGEST_DELAY_MS, description: "How long" }), when: When },
        { description: "Makes it wait" },
      ),
    }),
    Type.Object({ ...none, drop: Type.Object({ when: When }, { description: "Closes the connection" }) }),
    Type.Object({
      ...none,
      rate_limit: Type.Object(
        {
          limit: Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Calls that pass in a window" }),
          window_seconds: Type.Integer({
            minimum: 1,
            maximum: 86_400,
            description: "Real time, from its first call on",
          }),
        },
        { description: "Answers 429 beyond so many calls" },
      ),
    }),
    Type.Object({
      ...none,
      hang: Type.Object(
        {
          ms: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: LONGEST_HANG_MS,
              description: "How long the connection stays open without an answer; default: 10 minutes",
            }),
          ),
          when: When,
        },
        { description: "Answers nothing" },
      ),
    }),
    Type.Object({
      ...none,
      truncate: Type.Object(
        {
          bytes: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 1_000_000,
              description: "So many of the answer's body are sent, always fewer than it has; default: half of them",
            }),
          ),
        },
        { description: "Cuts the answer off" },
      ),
    }),
  ],
  { description: "What happens" },
);
export type FaultEffect = Static<typeof FaultEffect>;

/** A rule that lets calls or attempts fail. */
export const Fault = Type.Object({
  id: Id,
  name: Nullable(Type.String()),
  about: OneOf(faultTargets, "calls to the service, or attempts to send a notification"),
  operation: Type.String({ description: "An operation's name, or * for any; of attempts always *" }),
  event_type: Nullable(OneOf(eventTypes, "Of attempts: which notifications; null: any")),
  integration_id: Nullable(
    Type.String({ description: "Whose calls, or who is notified; null: anybody, without credentials too" }),
  ),
  calls: Nullable(FaultCalls),
  effect: FaultEffect,
  kind: OneOf(faultKinds),
  uses: Nullable(Type.Integer({ minimum: 1, description: "How often it may fire; null: without limit" })),
  armed_at: Timestamp("Real time"),
  expires_at: Nullable(Timestamp("Real time; null: until it is used up or cleared")),
  state: OneOf(["armed", "used_up", "expired"]),
  matched: Type.Integer({
    minimum: 0,
    description: "Calls or attempts it was about since it was armed, whether it fired or not",
  }),
  fired: Count,
  left: Nullable(Type.Integer({ minimum: 0, description: "How often it can still fire; null: no limit" })),
  last_fired_at: Nullable(Timestamp()),
  sentence: Type.String({ description: "What it does, for the person who reads it" }),
});
export type Fault = Static<typeof Fault>;

/** A fault that met a call or an attempt, in the order it did. Its trace is that of the call, or of the event. */
export const FaultFiring = Type.Object({
  fault_id: Id,
  name: Nullable(Type.String()),
  kind: OneOf(faultKinds),
  when: OneOf(faultTimings),
  operation: Type.Optional(Type.String({ description: "Of the call it met; absent: it met an attempt" })),
  attempt: Type.Optional(
    Type.Object(
      { delivery_id: Id, event_type: OneOf(eventTypes), number: Type.Integer({ minimum: 1 }) },
      { description: "The attempt it met; absent: it met a call" },
    ),
  ),
  integration_id: Nullable(Id),
  number: Type.Integer({ minimum: 1, description: "How often it has fired now" }),
  left: Nullable(Count),
  sentence: Type.String({ description: "What it did" }),
});
export type FaultFiring = Static<typeof FaultFiring>;

/** A fault that made an answer or an attempt what it is. */
export const FaultMark = Type.Object({ id: Id, kind: OneOf(faultKinds), when: OneOf(faultTimings) });
export type FaultMark = Static<typeof FaultMark>;
