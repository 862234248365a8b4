import type { Difference } from "../rules/first-difference.ts";

/** What became of a step. */
export interface Verdict {
  readonly outcome: "held" | "differs" | "not_run";
  /** What was called and what was answered, or why it was not run. */
  readonly detail: string;
  /** What later steps refer to. */
  readonly value?: unknown;
  /** What was answered, as text. */
  readonly answer?: string;
  readonly difference?: Difference;
  /** What explains the difference, where the scenario was recorded or runs with other policies than its own. */
  readonly explained?: readonly string[];
  /** Of its call, where it made one. */
  readonly trace_id?: string;
}

export const held = (detail: string, value: unknown, answer = JSON.stringify(value)): Verdict => ({
  ...{ outcome: "held", detail, value, answer },
});
export const differs = (detail: string, difference: Difference, value?: unknown, answer = ""): Verdict => ({
  ...{ outcome: "differs", detail, difference, value, answer },
});
/** @param detail why not */
export const notRun = (detail: string): Verdict => ({ outcome: "not_run", detail });
