import type { RunRow, RunStep } from "../../../sandbox/contract/control/scenario-operations.ts";
import { COMMAND } from "../../../sandbox/contract/package-name.ts";
import type { Scenario } from "../../../sandbox/contract/scenario.ts";
import type { StateName } from "../../components/state.tsx";
import { quoteForShell } from "../../domain/exchange/curl.ts";

const over: readonly RunRow["state"][] = ["held", "differs", "stopped", "failed"];

export const isOver = ({ state }: Pick<RunRow, "state">): boolean => over.includes(state);

/** The state of a run with its label. */
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

/** A problem of a file, with its step's number, counted from one. */
export const findingText = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string => {
  const [at, index] = /^\/steps\/(\d+)/.exec(pointer) ?? [];
  if (at === undefined) return message;
  const rest = message.startsWith(at) ? message.slice(at.length) : message;
  return `Step ${Number(index) + 1}${rest.startsWith(" ") ? "" : ": "}${rest}`;
};

/** The status of a step's response, if its result contains one. */
export const currentStatus = ({ detail }: Pick<RunStep, "detail">): number | null => {
  const status = / → (\d{3})\b/.exec(detail)?.[1];
  return status === undefined ? null : Number(status);
};

/** Normalizes an address for the command; null when it would be refused. */
export const parseServiceAddress = (typed: string): string | null => {
  const url = URL.parse(typed.trim());
  return url && /^https?:$/.test(url.protocol) ? url.href.replace(/\/$/, "") : null;
};

/** The command for scripts. @param url a different service from its own */
export const commandFor = (
  file: string,
  policies: Readonly<Record<string, string>> | null,
  url: string | null,
): string =>
  [
    `${COMMAND} run ${file}`,
    ...(url === null ? [] : [`--url ${quoteForShell(url)}`]),
    ...Object.entries(policies ?? {}).map(([name, value]) => `--policy ${name}=${value}`),
    "--reporter junit",
  ].join(" \\\n  ");

/** Returns whether a run used the current version of a file. */
export const isSameFile = (run: unknown, file: Scenario): boolean => {
  const { start: _, ...rest } = file;
  return JSON.stringify(run) === JSON.stringify(rest);
};

/** Changes a step's expected status; drops the other expectations, which belong to the old one. */
export const withExpectedStatus = (scenario: Scenario, index: number, status: number): Scenario => ({
  ...scenario,
  steps: scenario.steps.map((step, at) => (at === index ? ({ ...step, expect: { status } } as typeof step) : step)),
});
