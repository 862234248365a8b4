import type { Expectation } from "../contract/scenario.ts";
import { firstDifference } from "../rules/first-difference.ts";
import { differenceFrom } from "../rules/scenario-match.ts";
import type { Reached } from "./scenario-client.ts";
import { differs, held, type Verdict } from "./verdict.ts";

const LOOK_EVERY_MS = 50;

/** Compares an answer with what is expected of it. @param what was called */
export const judge = (what: string, expect: Expectation, reached: Reached): Verdict => {
  const { status, headers, body, text } = reached;
  const got = status ?? "no answer";
  const detail = `${what} → ${got}`;
  const trace_id = headers["x-request-id"];
  const traced = trace_id === undefined ? {} : { trace_id };
  if (expect.no_answer === true)
    return status === null
      ? held(detail, null)
      : { ...differs(detail, { path: "/no_answer", expected: "no answer", got: status }, body, text), ...traced };
  const wanted = expect.status ?? 200;
  const difference =
    (status === wanted ? null : { path: "/status", expected: wanted, got }) ??
    differenceFrom(expect.headers ?? {}, headers, "/headers") ??
    (expect.body === undefined ? null : differenceFrom(expect.body, body, "/body")) ??
    (expect.exact === undefined ? null : firstDifference(expect.exact, body, { moreKeys: false }, "/body"));
  return { ...(difference ? differs(detail, difference, body, text) : held(detail, body, text)), ...traced };
};

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
