import { sentence } from "../errors.ts";
import { plural } from "../text.ts";
import type { JudgedReadiness } from "./readiness-operations.ts";

/** D72: time limit of one attempt, from the name lookup to the end of the response. */
export const ATTEMPT_LIMIT_MS = 10_000;

/** The `last_error` of deliveries that were pending in a restored snapshot. */
export const NOT_SENT_AFTER_RESTORE =
  "not sent: pending deliveries from a snapshot are not sent automatically; resend this one manually";

/** A receiver's refusal as a sentence. @param reason the reason that the receiver gave */
export const refusalSentence = (
  { status, error }: { readonly status: number | null; readonly error: string | null },
  reason: string | null = null,
): string => {
  if (status === null) return sentence(error ?? "no response");
  if (status === 200) return `The receiver returned 200, but ${error}.`;
  return `The receiver returned ${status}${reason === null ? "" : `: “${reason}”`}.${error ? ` ${sentence(error)}` : ""}`;
};

/** Summarizes a readiness report in one sentence; with a plan, by the plan's open requirements. */
export const readinessVerdict = ({ record, summary: { operations }, next, judged }: JudgedReadiness): string => {
  if (record.calls === 0) return "This integration hasn’t made a call yet.";
  const [count, planText] = judged.plan === null ? [next.length, ""] : [judged.unmet.length, " for its plan"];
  const left = `${count === 0 ? "nothing" : plural(count, "thing")} left to do${planText}`;
  return `${plural(record.calls, "call")} by this integration, ${operations.met} of ${operations.of} API operations called successfully, ${left}.`;
};

/** Causes of a failed attempt. */
export const attemptCauses = [
  "receiver_unreachable",
  "receiver_timed_out",
  "receiver_refused",
  "receiver_incomplete",
  "receiver_as_configured",
] as const;
export type AttemptCause = (typeof attemptCauses)[number];

export const failureKinds = ["call", "delivery"] as const;
export type FailureKind = (typeof failureKinds)[number];
