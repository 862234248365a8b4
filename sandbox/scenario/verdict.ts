import type { Difference } from "../rules/first-difference.ts";

/** What became of a step. */
export type Verdict =
  | { readonly held: true; readonly detail: string; readonly value: unknown }
  | { readonly held: false; readonly detail: string; readonly difference: Difference; readonly answer?: string };

export const held = (detail: string, value: unknown): Verdict => ({ held: true, detail, value });
export const failed = (detail: string, difference: Difference, answer?: string): Verdict => ({
  held: false,
  detail,
  difference,
  ...(answer === undefined ? {} : { answer }),
});
