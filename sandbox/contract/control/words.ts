import { plural } from "../text.ts";
import type { JudgedReadiness } from "./readiness-operations.ts";
import type { DeliveryRow, RecentDeliveries } from "./rows.ts";

/** D72: how long one attempt may take, from looking up the name to the end of the answer. */
export const ATTEMPT_LIMIT_MS = 10_000;

/** The `last_error` of a delivery that was pending in a snapshot, once the world is restored from that. */
export const NOT_SENT_AFTER_RESTORE =
  "not sent: pending deliveries from a snapshot are not sent automatically; resend this one manually";

const sentence = (text: string): string => {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
};

/** What came back from a receiver that did not acknowledge, as a sentence. @param said what it gave as its reason */
export const refusalWords = (
  { status, error }: { readonly status: number | null; readonly error: string | null },
  said: string | null = null,
): string => {
  if (status === null) return sentence(error ?? "no response");
  if (status === 200) return `The receiver answered 200, but ${error}.`;
  return `The receiver answered ${status}${said === null ? "" : `: “${said}”`}.${error ? ` ${sentence(error)}` : ""}`;
};

/** The words of a notice about failed deliveries: the newest one, how many there are in all, and its world unless default. */
export function failureWords(
  { event_type, label, url, attempts_made, last_status, last_error }: DeliveryRow,
  count: number,
  world: string | null,
): { title: string; body: string } {
  const inWorld = world === null ? "" : ` in the world ${world}`;
  const why = last_status === null ? (last_error ?? "no answer") : `answered ${last_status}`;
  return {
    title: count === 1 ? `A delivery failed${inWorld}` : `${count} deliveries failed`,
    body: `${count === 1 ? "" : `The last one${inWorld}: `}${event_type} ${label} to ${url}: ${why} after ${plural(attempts_made, "attempt")}`,
  };
}

/** What a readiness comes to, in one sentence made from its counts: with a plan, what that requires is left to do. */
export const readinessVerdict = ({ record, summary: { operations }, next, judged }: JudgedReadiness): string => {
  if (record.calls === 0) return "This integration hasn’t made a call yet.";
  const [count, whose] = judged.plan === null ? [next.length, ""] : [judged.unmet.length, " for its plan"];
  const left = `${count === 0 ? "nothing" : plural(count, "thing")} left to do${whose}`;
  return `${plural(record.calls, "call")} by this integration, ${operations.met} of ${operations.of} API operations called, ${left}.`;
};

/** Addresses that acknowledge less than this at the first attempt don't work well, whatever becomes of it later. */
const STEADY = 0.95;

/** Whether all of the newest deliveries arrived, and so many at the first attempt that nothing has to be said. */
export const isSteady = ({ ended, at_first_attempt, given_up }: RecentDeliveries): boolean =>
  given_up === 0 && at_first_attempt >= ended * STEADY;

const answerWords = ({ failures }: RecentDeliveries, whose: string): string => {
  const answered = failures.flatMap(({ status }) => status ?? []);
  const silent = failures.find(({ status }) => status === null);
  return [
    ...(answered.length > 0 ? [`${whose} answered ${[...new Set(answered)].join(" and ")}`] : []),
    ...(silent
      ? [`${answered.length > 0 ? "or " : `${whose} `}did not answer (${silent.error ?? "no reason known"})`]
      : []),
  ].join(" ");
};

/**
 * What the newest deliveries to an address hide: "12 of 12 needed 3 attempts: your server answered 500. …", and which of
 * them never arrived. Null where all were acknowledged at the first attempt.
 *
 * @param whose what the receiver is called
 */
export const recentSentence = (recent: RecentDeliveries, whose = "your server"): string | null => {
  const { ended, at_first_attempt, given_up, least_attempts: least, most_attempts: most } = recent;
  if (at_first_attempt === ended) return null;
  const later = ended - at_first_attempt - given_up;
  const came = [
    ...(given_up > 0 ? [`${given_up} of ${ended} ${given_up === 1 ? "was" : "were"} given up`] : []),
    ...(later > 0 ? [`${later} of ${ended} needed ${least === most ? most : `${least} to ${most}`} attempts`] : []),
  ].join(", ");
  const sent = given_up > 0 ? "A delivery that was given up is sent again only manually." : "";
  const again = later > 0 ? "The same `message_id` is sent each time, so deduplicate." : "";
  return [`${came}: ${answerWords(recent, whose)}.`, sent, again].filter(Boolean).join(" ");
};
