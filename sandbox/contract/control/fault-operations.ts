import type { Static } from "typebox";
import * as Type from "typebox";
import { partnerCalls } from "../operations/partner-calls.ts";
import { Absent, Count, Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { FAULT_STATUS } from "../values.ts";
import { manage, scenarioUsable } from "./declaring.ts";

const Id = Type.String();

export const ANY_OPERATION = "*";
const MAX_DELAY_MS = 120_000;

export const faultKinds = ["error", "delay", "drop", "rate_limit", "hang"] as const;
export type FaultKind = (typeof faultKinds)[number];

const faultTimings = ["before", "after"] as const;
/** Order of the fault and the operation's work. */
export type FaultTiming = (typeof faultTimings)[number];

const When = Type.Optional(OneOf(faultTimings, "Before (default) or after the operation runs"));
const CODE = "^[a-z][a-z0-9_]{0,63}$";

export const FaultError = Type.Object(
  {
    code: Type.Optional(Type.String({ pattern: CODE, description: "An error code of the operation" })),
    status: Type.Optional(
      Type.Integer({
        minimum: 400,
        maximum: 599,
        description: `Default: the code’s own status; ${FAULT_STATUS} for a code that is not in the contract`,
      }),
    ),
    when: When,
  },
  { description: "Returns an error" },
);
export type FaultError = Static<typeof FaultError>;

const effects = {
  error: FaultError,
  delay: Type.Object(
    { ms: Type.Integer({ minimum: 1, maximum: MAX_DELAY_MS, description: "The delay" }), when: When },
    { description: "Delays the response" },
  ),
  drop: Type.Object({ when: When }, { description: "Closes the connection" }),
  rate_limit: Type.Object(
    {
      limit: Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Calls per integration and window" }),
      window_seconds: Type.Integer({ minimum: 1, maximum: 86_400, description: "Real time, from the first call" }),
    },
    { description: "Returns 429 above a number of calls" },
  ),
  hang: Type.Object({ when: When }, { description: "Never responds; the connection stays open for 10 minutes" }),
};
const none = { error: Absent(), delay: Absent(), drop: Absent(), rate_limit: Absent(), hang: Absent() };

/** The effect of a fault: exactly one variant. */
export const FaultEffect = Type.Union(
  [
    Type.Object({ ...none, error: effects.error }),
    Type.Object({ ...none, delay: effects.delay }),
    Type.Object({ ...none, drop: effects.drop }),
    Type.Object({ ...none, rate_limit: effects.rate_limit }),
    Type.Object({ ...none, hang: effects.hang }),
  ],
  { description: "The effect" },
);
export type FaultEffect = Static<typeof FaultEffect>;

/** The request fields that define a fault. */
export const fault = {
  name: Type.Optional(Text("A name of your choice")),
  operation: Type.Optional(
    OneOf([ANY_OPERATION, ...Object.keys(partnerCalls)], "Calls of this operation; * (default): of any"),
  ),
  integration_id: Type.Optional(Type.String({ format: "uuid", description: "Only calls with this integration’s key" })),
  calls: Type.Optional(
    Type.Object(
      { nth: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Counted from when the fault was armed" }) },
      { description: "Only every nth of those calls (default: all). A rate limit keeps its own count" },
    ),
  ),
  effect: FaultEffect,
  uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Disarms after this many hits" })),
  for_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 31_536_000, description: "Disarms after this time, in real time" }),
  ),
};

/** A rule that makes matching calls fail. */
export const Fault = Type.Object({
  id: Id,
  name: Nullable(Type.String()),
  operation: Type.String({ description: "An operation, or * for any" }),
  integration_id: Nullable(
    Type.String({ description: "Only this integration’s calls; null: any call, even without credentials" }),
  ),
  calls: Nullable(Type.Object({ nth: Type.Integer({ minimum: 1 }) })),
  effect: FaultEffect,
  uses: Nullable(Type.Integer({ minimum: 1, description: "How often it can fire; null: no limit" })),
  armed_at: Timestamp("Real time"),
  expires_at: Nullable(Timestamp("Real time; null: until it is used up or cleared")),
  state: OneOf(["armed", "used_up", "expired"]),
  matched: Count("Matching calls since it was armed, whether it fired or not"),
  fired: Count(),
  left: Nullable(Count("Hits left; null: no limit")),
  last_fired_at: Nullable(Timestamp()),
  sentence: Type.String({ description: "What it does, in words" }),
});
export type Fault = Static<typeof Fault>;

/** One application of a fault to a call. */
export const FaultFiring = Type.Object({
  fault_id: Id,
  name: Nullable(Type.String()),
  kind: OneOf(faultKinds),
  when: OneOf(faultTimings),
  operation: Type.String(),
  integration_id: Nullable(Id),
  number: Type.Integer({ minimum: 1, description: "How often it has fired so far" }),
  left: Nullable(Count()),
  sentence: Type.String({ description: "What it did" }),
});
export type FaultFiring = Static<typeof FaultFiring>;

/** The fault that determined a response. */
export const FaultMark = Type.Object({ id: Id, kind: OneOf(faultKinds), when: OneOf(faultTimings) });
export type FaultMark = Static<typeof FaultMark>;

export const faultsList = scenarioUsable.read(
  "faults.list",
  "A world’s faults in the order they were armed, with how often each fired and what remains.",
  {},
  Items(Fault),
);
export const faultsSet = scenarioUsable.writeOne(
  "faults.set",
  "Arms a fault: calls of an operation fail or are delayed until the fault is used up, expires or is cleared.",
  fault,
  Fault,
  manage,
);
export const faultsClear = scenarioUsable.writeOne(
  "faults.clear",
  "Clears one fault or all of them. Calls that are already delayed keep waiting.",
  { id: Type.Optional(Uuid("The fault (default: all)")) },
  Type.Object({ cleared: Count() }),
  manage,
);
