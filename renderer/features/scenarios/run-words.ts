import type { RunRow, RunStep } from "../../../sandbox/contract/control/scenario-operations.ts";
import { COMMAND } from "../../../sandbox/contract/package-name.ts";
import type { Scenario } from "../../../sandbox/contract/scenario.ts";
import type { StateName } from "../../components/state.tsx";
import { inShell } from "../../domain/exchange/curl.ts";

const over: readonly RunRow["state"][] = ["held", "differs", "stopped", "failed"];

export const isOver = ({ state }: Pick<RunRow, "state">): boolean => over.includes(state);

/** How a run stands, as a state with its words. */
export const runState = (run: RunRow): { readonly of: StateName; readonly words: string } => {
  const { state, held, steps, differs_at } = run;
  switch (state) {
    case "running":
      return { of: "running", words: `running, ${held} of ${steps}` };
    case "waiting":
      return { of: "running", words: `waits at step ${Math.min(held + 1, steps)}` };
    case "held":
      return { of: "passed", words: `${held} of ${steps} steps passed` };
    case "differs":
      return { of: "refused", words: `failed at step ${differs_at ?? "?"}` };
    case "stopped":
      return { of: "skipped", words: `stopped after ${held} of ${steps}` };
    case "failed":
      return { of: "failed", words: "could not be run" };
  }
};

/** What is wrong in a file, with the step it is in by its number, which counts from one. */
export const findingWords = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string => {
  const [at, index] = /^\/steps\/(\d+)/.exec(pointer) ?? [];
  if (at === undefined) return message;
  const rest = message.startsWith(at) ? message.slice(at.length) : message;
  return `Step ${Number(index) + 1}${rest.startsWith(" ") ? "" : ": "}${rest}`;
};

/** The status that a step was answered with, where its result says one. */
export const statusNow = ({ detail }: Pick<RunStep, "detail">): number | null => {
  const status = / → (\d{3})\b/.exec(detail)?.[1];
  return status === undefined ? null : Number(status);
};

/** An address as the command takes it; null where it would refuse it. */
export const parseServiceAddress = (typed: string): string | null => {
  const url = URL.parse(typed.trim());
  return url && /^https?:$/.test(url.protocol) ? url.href.replace(/\/$/, "") : null;
};

/** The command that runs the same in a script. @param url another service than one of its own */
export const commandFor = (
  file: string,
  policies: Readonly<Record<string, string>> | null,
  url: string | null,
): string =>
  [
    `${COMMAND} run ${file}`,
    ...(url === null ? [] : [`--url ${inShell(url)}`]),
    ...Object.entries(policies ?? {}).map(([name, value]) => `--policy ${name}=${value}`),
    "--reporter junit",
  ].join(" \\\n  ");

/** Whether a run was made of this file as it is now. */
export const isSameFile = (run: unknown, file: Scenario): boolean => {
  const { start: _, ...rest } = file;
  return JSON.stringify(run) === JSON.stringify(rest);
};

/** A scenario of which a step is expected to be answered with another status; what was expected beside it was of the old one. */
export const withStatus = (scenario: Scenario, index: number, status: number): Scenario => ({
  ...scenario,
  steps: scenario.steps.map((step, at) => (at === index ? ({ ...step, expect: { status } } as typeof step) : step)),
});
