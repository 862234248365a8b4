import * as Type from "typebox";
import { eventTypes } from "../event-types.ts";
import { controlOperation } from "../operation.ts";
import { Items, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { base, byId, inWorld } from "./declaring.ts";
import { Fault, FaultCalls, FaultEffect, FaultFiring, faultTargets } from "./fault-rows.ts";

/** What a fault is to be. */
const asked = {
  id: Type.Optional(Uuid("A fault to arm anew as said here; left out: another one")),
  name: Type.Optional(Text("What you call it")),
  about: Type.Optional(OneOf(faultTargets, "calls (default) to the service, or attempts to send a notification")),
  operation: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Calls of this operation; * (default): of any",
    }),
  ),
  event_type: Type.Optional(OneOf(eventTypes, "Of attempts: only those of such events")),
  integration_id: Type.Optional(
    Uuid("Only calls that this integration is known to have made, or attempts to notify it"),
  ),
  calls: Type.Optional(FaultCalls),
  effect: FaultEffect,
  uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Disarms itself after so many" })),
  expires_at: Type.Optional(Timestamp("Real time, in the future")),
  for_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 31_536_000, description: "Instead of expires_at: from now on" }),
  ),
};

export const faultsList = controlOperation({
  ...base,
  id: "faults.list",
  inScenario: true,
  effect: "read",
  summary: "The faults of a world, in the order they were armed, with how often each fired and what is left of it.",
  request: inWorld({}),
  response: Items(Fault),
});
export const faultsSet = controlOperation({
  ...byId,
  id: "faults.set",
  inScenario: true,
  effect: "write",
  summary:
    "Arms a fault: calls of an operation, or attempts to send a notification, fail, wait or get no answer, until it is used up, for a time, or until it is cleared.",
  request: inWorld(asked),
  response: Fault,
});
export const faultsPreview = controlOperation({
  ...byId,
  id: "faults.preview",
  effect: "read",
  summary: "What a fault would do, in words, without arming it; refused as faults.set would refuse it.",
  request: inWorld(asked),
  response: Type.Object({ sentence: Type.String() }),
});
export const faultsFirings = controlOperation({
  ...base,
  id: "faults.firings",
  effect: "read",
  summary: "When faults fired last, newest first, each with the trace of the call or the event it met.",
  request: inWorld({
    id: Type.Optional(Uuid("Only those of this fault")),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "So many of the newest" }),
    ),
  }),
  response: Items(Type.Object({ at: Timestamp("Real time"), trace_id: Type.String(), ...FaultFiring.properties })),
});
export const faultsClear = controlOperation({
  ...byId,
  id: "faults.clear",
  inScenario: true,
  effect: "write",
  summary: "Takes a fault away, or all of them; calls that one of them delays go on waiting.",
  request: inWorld({ id: Type.Optional(Uuid("Left out: all")) }),
  response: Type.Object({ cleared: Type.Integer({ minimum: 0 }) }),
});

/** Calls and attempts that fail on purpose. */
export const faultOperations = [faultsList, faultsPreview, faultsSet, faultsClear, faultsFirings] as const;
