import type { Step } from "../../../sandbox/contract/scenario.ts";
import { operationTitle } from "../exchange/operation-words.ts";

/** The kind of a step, as named in files. */
export const stepKind = (step: Step): "call" | "control" | "receiver" | "deliveries" => {
  if (step.call) return "call";
  if (step.control) return "control";
  return step.receiver ? "receiver" : "deliveries";
};

/** The operation or address of a step; null without a call. */
export const stepTarget = (step: Step): string | null =>
  step.call?.operation ?? step.call?.route ?? step.control?.operation ?? null;

/** A step's label. */
export const stepTitle = (step: Step): string => {
  if (step.name !== undefined) return step.name;
  if (step.receiver) return "Start a built-in receiver";
  if (step.deliveries) return "Wait for notifications";
  return operationTitle(stepTarget(step) ?? "");
};

export const expectedStatus = (step: Step): number | null =>
  step.receiver || step.deliveries || step.expect?.no_answer ? null : (step.expect?.status ?? 200);
