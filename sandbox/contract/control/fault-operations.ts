import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, Text, Timestamp, Uuid } from "../schema.ts";
import { base, byId, inWorld } from "./declaring.ts";
import { Fault, FaultCalls, FaultEffect } from "./fault-rows.ts";

export const faultsList = controlOperation({
  ...base,
  id: "faults.list",
  effect: "read",
  summary: "The faults of a world, in the order they were armed, with how often each fired and what is left of it.",
  request: inWorld({}),
  response: Items(Fault),
});
export const faultsSet = controlOperation({
  ...byId,
  id: "faults.set",
  effect: "write",
  summary:
    "Arms a fault: calls of an operation fail, wait or get no answer, until it is used up, for a time, or until it is cleared.",
  request: inWorld({
    id: Type.Optional(Uuid("A fault to arm anew as said here; left out: another one")),
    name: Type.Optional(Text("What you call it")),
    operation: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "An operation of the contract or the extensions, webhooks.subscribe, webhooks.secret or * (default)",
      }),
    ),
    integration_id: Type.Optional(Uuid("Only calls that this integration is known to have made")),
    calls: Type.Optional(FaultCalls),
    effect: FaultEffect,
    uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Disarms itself after so many" })),
    expires_at: Type.Optional(Timestamp("Real time, in the future")),
    for_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 31_536_000, description: "Instead of expires_at: from now on" }),
    ),
  }),
  response: Fault,
});
export const faultsClear = controlOperation({
  ...byId,
  id: "faults.clear",
  effect: "write",
  summary: "Takes a fault away, or all of them; calls that one of them delays go on waiting.",
  request: inWorld({ id: Type.Optional(Uuid("Left out: all")) }),
  response: Type.Object({ cleared: Type.Integer({ minimum: 0 }) }),
});

/** Calls that fail on purpose. */
export const faultOperations = [faultsList, faultsSet, faultsClear] as const;
