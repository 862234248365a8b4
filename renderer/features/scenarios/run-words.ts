import type { RunRow, RunStep } from "../../../sandbox/contract/control/scenario-operations.ts";
import type { Came, Scenario, Step } from "../../../sandbox/contract/scenario.ts";
import type { StateName } from "../../components/state.tsx";
import { operationTitle } from "../../domain/exchange/operation-words.ts";
import { plural } from "../../lib/formatting.ts";

const over: readonly RunRow["state"][] = ["held", "differs", "stopped", "failed"];

export const isOver = ({ state }: Pick<RunRow, "state">): boolean => over.includes(state);

/** How a run stands, as a state with its words. */
export const runState = (run: RunRow): { readonly of: StateName; readonly words: string } => {
  const { state, held, steps, differs_at } = run;
  switch (state) {
    case "queued":
      return { of: "running", words: "waits for another run" };
    case "running":
      return { of: "running", words: `running, ${held} of ${steps}` };
    case "waiting":
      return { of: "running", words: `waits at step ${Math.min(held + 1, steps)}` };
    case "held":
      return { of: "passed", words: `${held} of ${steps} held` };
    case "differs":
      return { of: "refused", words: `differs at ${differs_at ?? "a step"}` };
    case "stopped":
      return { of: "skipped", words: `stopped after ${held} of ${steps}` };
    case "failed":
      return { of: "failed", words: "could not be run" };
  }
};

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
  if (step.receiver) return "A built-in receiver listens";
  if (step.deliveries) return "Notifications arrive";
  return operationTitle(calledBy(step) ?? "");
};

const keys = (value: unknown): string => {
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
};

/** What must come of a step beside its status, in a line; empty where nothing more is checked. */
export const checkedWords = (step: Step): string => {
  if (step.receiver) return "it is subscribed";
  if (step.deliveries)
    return step.deliveries.expect
      .map(({ event_type, count = 1 }) => (count === 0 ? `no ${event_type}` : `${count} × ${event_type}`))
      .join(", ");
  const { body, exact, headers, no_answer, within_seconds } = step.expect ?? {};
  return [
    ...(no_answer ? ["the connection is closed"] : []),
    ...(exact === undefined ? [] : ["exactly this body"]),
    ...(body === undefined ? [] : [keys(body) || "the body"]),
    ...(headers === undefined ? [] : [keys(headers)]),
    ...(within_seconds === undefined ? [] : [`within ${within_seconds} s`]),
  ].join("; ");
};

/** The status a call must be answered with; null: none is asked for. */
export const statusWanted = (step: Step): number | null =>
  step.receiver || step.deliveries || step.expect?.no_answer ? null : (step.expect?.status ?? 200);

/** The status that a step was answered with, where its result says one. */
export const statusNow = ({ detail }: Pick<RunStep, "detail">): number | null => {
  const status = / → (\d{3})\b/.exec(detail)?.[1];
  return status === undefined ? null : Number(status);
};

/** What became of the notifications of a recorded call. */
export const deliveriesThen = ({ deliveries = [] }: Came): string => {
  const failed = deliveries.filter(({ status }) => status === "failed").length;
  if (deliveries.length === 0) return "";
  return `${plural(deliveries.length, "notification")}${failed > 0 ? `, ${failed} failed` : ""}`;
};

/** The command that runs the same in a script. */
export const commandFor = (file: string, policies: Readonly<Record<string, string>> | null): string =>
  [
    `sandbox run ${file}`,
    ...Object.entries(policies ?? {}).map(([name, value]) => `--policy ${name}=${value}`),
    "--reporter junit",
  ].join(" \\\n  ");

/** Whether a run was made of this file as it is now. */
export const isSameFile = (run: unknown, file: Scenario): boolean => {
  const { start: _, ...rest } = file;
  return JSON.stringify(run) === JSON.stringify(rest);
};
