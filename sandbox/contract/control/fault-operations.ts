import * as Type from "typebox";
import { Items, Uuid } from "../schema.ts";
import { inScenario, read, writeOne } from "./declaring.ts";
import { Fault, fault } from "./fault-rows.ts";

export const faultsList = read(
  "faults.list",
  "The faults of a world, in the order they were armed, with how often each fired and what is left of it.",
  {},
  Items(Fault),
  inScenario,
);
export const faultsSet = writeOne(
  "faults.set",
  "Arms a fault: calls of an operation fail or wait, until it is used up, for a time, or until it is cleared.",
  fault,
  Fault,
  inScenario,
);
export const faultsClear = writeOne(
  "faults.clear",
  "Takes a fault away, or all of them; calls that one of them delays go on waiting.",
  { id: Type.Optional(Uuid("The fault; left out: all")) },
  Type.Object({ cleared: Type.Integer({ minimum: 0 }) }),
  inScenario,
);

/** Calls that fail on purpose. */
export const faultOperations = [faultsList, faultsSet, faultsClear] as const;
