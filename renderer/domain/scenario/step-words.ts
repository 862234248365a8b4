import type { Step } from "../../../sandbox/contract/scenario.ts";
import { operationTitle } from "../exchange/operation-words.ts";

/** What kind of step it is, in words of the file. */
export const stepKind = (step: Step): "call" | "control" | "receiver" | "deliveries" => {
  if (step.call) return "call";
  if (step.control) return "control";
  return step.receiver ? "receiver" : "deliveries";
};

/** The operation or address of a step; null where it calls none. */
export const calledBy = (step: Step): string | null =>
  step.call?.operation ?? step.call?.route ?? step.control?.operation ?? null;

/** What a step is for, in a person's words. */
export const stepTitle = (step: Step): string => {
  if (step.name !== undefined) return step.name;
  if (step.receiver) return "Start a built-in receiver";
  if (step.deliveries) return "Wait for notifications";
  return operationTitle(calledBy(step) ?? "");
};

/** The status a call must be answered with; null: none is asked for. */
export const statusWanted = (step: Step): number | null =>
  step.receiver || step.deliveries || step.expect?.no_answer ? null : (step.expect?.status ?? 200);
