import type { Expectation } from "../contract/scenario.ts";
import { type Difference, firstDifference } from "../rules/scenarios/first-difference.ts";
import { differenceFrom } from "../rules/scenarios/scenario-match.ts";
import type { Reached } from "./scenario-client.ts";

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
  /** What explains the difference: other policies than the file's, or another version. */
  readonly explained?: readonly string[];
  /** Of its call, where it made one. */
  readonly trace_id?: string;
}

export const held = (detail: string, value: unknown): Verdict => ({ outcome: "held", detail, value });
export const differs = (detail: string, path: string, expected: unknown, got: unknown): Verdict => ({
  ...{ outcome: "differs", detail, difference: { path, expected, got } },
});
/** @param detail why not */
export const notRun = (detail: string): Verdict => ({ outcome: "not_run", detail });

/** Compares an answer with what is expected of it. @param what was called */
export const evaluateExpectation = (
  what: string,
  expect: Expectation,
  { status, headers, body, text }: Reached,
): Verdict => {
  const got = status ?? "no response";
  const wanted = expect.no_answer === true ? "no response" : (expect.status ?? 200);
  const difference =
    firstDifference(wanted, got, "/status") ??
    differenceFrom(expect.headers ?? {}, headers, "/headers") ??
    (expect.body === undefined ? null : differenceFrom(expect.body, body, "/body")) ??
    (expect.exact === undefined ? null : firstDifference(expect.exact, body, "/body"));
  const trace_id = headers["x-request-id"];
  return {
    outcome: difference ? "differs" : "held",
    ...{ detail: `${what} → ${got}`, value: body, answer: text },
    ...(difference ? { difference } : {}),
    ...(trace_id === undefined ? {} : { trace_id }),
  };
};

const LOOK_EVERY_MS = 50;

/**
 * Attempts until one holds, for so long.
 *
 * @param attempt is told when it is the last one
 */
export const until = async (
  seconds = 0,
  attempt: (over: boolean) => Promise<Verdict>,
  signal?: AbortSignal,
): Promise<Verdict> => {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    signal?.throwIfAborted();
    const over = performance.now() >= end;
    const verdict = await attempt(over);
    if (verdict.outcome !== "differs" || over) return verdict;
    await new Promise((resume) => setTimeout(resume, LOOK_EVERY_MS));
  }
};
