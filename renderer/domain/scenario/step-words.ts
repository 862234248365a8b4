import type { Step } from "../../../sandbox/contract/scenario.ts";
import { operationTitle } from "../exchange/operation-words.ts";

/** What kind of step it is, in words of the file. */
export const kindOf = (step: Step): "call" | "control" | "receiver" | "deliveries" => {
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

const keys = (value: unknown): string => {
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
};

/** What must come of a step beside its status, in a line; empty where nothing more is checked. */
export const checkedWords = (step: Step): string => {
  if (step.receiver) return "subscribed";
  if (step.deliveries) {
    const counts = new Map<string, number>();
    for (const { event_type, count = 1 } of step.deliveries.expect)
      counts.set(event_type, (counts.get(event_type) ?? 0) + count);
    return [...counts].map(([type, count]) => (count === 0 ? `no ${type}` : `${count} × ${type}`)).join(", ");
  }
  const { body, exact, headers, no_answer, within_seconds } = step.expect ?? {};
  return [
    ...(no_answer ? ["connection closed"] : []),
    ...(exact === undefined ? [] : ["exact body"]),
    ...(body === undefined ? [] : [`with ${keys(body) || "the body"}`]),
    ...(headers === undefined ? [] : [`with the headers ${keys(headers)}`]),
    ...(within_seconds === undefined ? [] : [`within ${within_seconds} s`]),
  ].join("; ");
};

/** The status a call must be answered with; null: none is asked for. */
export const statusWanted = (step: Step): number | null =>
  step.receiver || step.deliveries || step.expect?.no_answer ? null : (step.expect?.status ?? 200);
