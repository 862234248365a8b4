import type { Expectation } from "../contract/scenario.ts";
import { type Difference, firstDifference } from "../rules/scenarios/first-difference.ts";
import { findDifference } from "../rules/scenarios/scenario-match.ts";
import type { ReachedResponse } from "./scenario-client.ts";

/** Result of a step. */
export interface Verdict {
  readonly outcome: "held" | "differs" | "not_run";
  /** The call and the response, or the reason for not running. */
  readonly detail: string;
  /** Value for references of later steps. */
  readonly value?: unknown;
  /** The response as text. */
  readonly answer?: string;
  readonly difference?: Difference;
  /** Explanations of the difference: settings unlike the file's, or another version. */
  readonly explained?: readonly string[];
  /** Trace of the step's call, if any. */
  readonly trace_id?: string;
}

export const held = (detail: string, value: unknown): Verdict => ({ outcome: "held", detail, value });
export const differs = (detail: string, path: string, expected: unknown, got: unknown): Verdict => ({
  ...{ outcome: "differs", detail, difference: { path, expected, got } },
});
/** @param detail the reason */
export const notRun = (detail: string): Verdict => ({ outcome: "not_run", detail });

/** Stands for the status of a call whose connection was closed. */
export const NO_RESPONSE = "no response";

/** Compares a response with its expectation. @param what description of the call */
export const evaluateExpectation = (
  what: string,
  expect: Expectation,
  { status, headers, body, text }: ReachedResponse,
): Verdict => {
  const got = status ?? NO_RESPONSE;
  const wanted = expect.no_answer === true ? NO_RESPONSE : (expect.status ?? 200);
  const difference =
    firstDifference(wanted, got, "/status") ??
    findDifference(expect.headers ?? {}, headers, "/headers") ??
    (expect.body === undefined ? null : findDifference(expect.body, body, "/body")) ??
    (expect.exact === undefined ? null : firstDifference(expect.exact, body, "/body"));
  const trace_id = headers["x-request-id"];
  return {
    outcome: difference ? "differs" : "held",
    ...{ detail: `${what} → ${got}`, value: body, answer: text },
    ...(difference ? { difference } : {}),
    ...(trace_id === undefined ? {} : { trace_id }),
  };
};

const CHECK_EVERY_MS = 50;

/**
 * Retries until an attempt passes or time runs out.
 *
 * @param attempt learns whether it is the last one
 */
export const retryUntilPassed = async (
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
    await new Promise((resume) => setTimeout(resume, CHECK_EVERY_MS));
  }
};
