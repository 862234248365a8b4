import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, Timestamp, Uuid } from "../schema.ts";
import { base, byId, inWorld } from "./declaring.ts";
import { Fault, FaultFiring, fault } from "./fault-rows.ts";

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
  summary: "Arms a fault: calls of an operation fail or wait, until it is used up, for a time, or until it is cleared.",
  request: inWorld(fault),
  response: Fault,
});
export const faultsFirings = controlOperation({
  ...base,
  id: "faults.firings",
  effect: "read",
  summary: "When faults fired last, newest first, each with the trace of the call it met; at most 100.",
  request: inWorld({}),
  response: Items(Type.Object({ at: Timestamp("Real time"), trace_id: Type.String(), ...FaultFiring.properties })),
});
export const faultsClear = controlOperation({
  ...byId,
  id: "faults.clear",
  inScenario: true,
  effect: "write",
  summary: "Takes a fault away, or all of them; calls that one of them delays go on waiting.",
  request: inWorld({ id: Type.Optional(Uuid("The fault; left out: all")) }),
  response: Type.Object({ cleared: Type.Integer({ minimum: 0 }) }),
});

/** Calls that fail on purpose. */
export const faultOperations = [faultsList, faultsSet, faultsClear, faultsFirings] as const;
