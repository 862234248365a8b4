import * as Type from "typebox";
import { Items, Uuid } from "../schema.ts";
import { inScenario, manage, read, view, writeOne } from "./declaring.ts";
import { Fault, fault } from "./fault-rows.ts";

export const faultsList = read(
  "faults.list",
  "A world’s faults in the order they were armed, with how often each fired and what remains.",
  {},
  Items(Fault),
  { ...inScenario, ...view },
);
export const faultsSet = writeOne(
  "faults.set",
  "Arms a fault: calls of an operation fail or are delayed until the fault is used up, expires or is cleared.",
  fault,
  Fault,
  { ...inScenario, ...manage },
);
export const faultsClear = writeOne(
  "faults.clear",
  "Clears one fault or all of them. Calls that are already delayed keep waiting.",
  { id: Type.Optional(Uuid("The fault (default: all)")) },
  Type.Object({ cleared: Type.Integer({ minimum: 0 }) }),
  { ...inScenario, ...manage },
);

/** Calls that fail on purpose. */
export const faultOperations = [faultsList, faultsSet, faultsClear] as const;
