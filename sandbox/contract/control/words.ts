import { plural } from "../text.ts";
import type { JudgedReadiness } from "./readiness-operations.ts";

/** D72: how long one attempt may take, from looking up the name to the end of the answer. */
export const ATTEMPT_LIMIT_MS = 10_000;

/** The `last_error` of a delivery that was pending in a snapshot, once the world is restored from that. */
export const NOT_SENT_AFTER_RESTORE =
  "not sent: pending deliveries from a snapshot are not sent automatically; resend this one manually";

/** A text as a sentence. */
export const sentence = (text: string): string => {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
};

/** What came back from a receiver that did not acknowledge, as a sentence. @param said what it gave as its reason */
export const refusalWords = (
  { status, error }: { readonly status: number | null; readonly error: string | null },
  said: string | null = null,
): string => {
  if (status === null) return sentence(error ?? "no response");
  if (status === 200) return `The receiver returned 200, but ${error}.`;
  return `The receiver returned ${status}${said === null ? "" : `: “${said}”`}.${error ? ` ${sentence(error)}` : ""}`;
};

/** What a readiness comes to, in one sentence made from its counts: with a plan, what that requires is left to do. */
export const readinessVerdict = ({ record, summary: { operations }, next, judged }: JudgedReadiness): string => {
  if (record.calls === 0) return "This integration hasn’t made a call yet.";
  const [count, whose] = judged.plan === null ? [next.length, ""] : [judged.unmet.length, " for its plan"];
  const left = `${count === 0 ? "nothing" : plural(count, "thing")} left to do${whose}`;
  return `${plural(record.calls, "call")} by this integration, ${operations.met} of ${operations.of} API operations called successfully, ${left}.`;
};

/** What may go wrong with an attempt of a delivery, by its name. */
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
