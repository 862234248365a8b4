import type { Difference } from "../rules/first-difference.ts";

/** What became of a step; with the trace of its call, where it made one. */
export type Verdict = { readonly trace_id?: string } & (
  | { readonly outcome: "held"; readonly detail: string; readonly value: unknown }
  | {
      readonly outcome: "differs";
      readonly detail: string;
      readonly difference: Difference;
      readonly answer?: string;
      /** What explains it, where the scenario was recorded or runs with other policies than its own. */
      readonly explained?: readonly string[];
    }
  | { readonly outcome: "not_run"; readonly detail: string }
);

export const held = (detail: string, value: unknown): Verdict => ({ outcome: "held", detail, value });
export const differs = (detail: string, difference: Difference, answer?: string): Verdict => ({
  outcome: "differs",
  detail,
  difference,
  ...(answer === undefined ? {} : { answer }),
});
/** @param detail why not */
export const notRun = (detail: string): Verdict => ({ outcome: "not_run", detail });
