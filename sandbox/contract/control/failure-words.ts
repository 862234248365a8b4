import { plural } from "../plural.ts";
import type { DeliveryRow } from "./rows.ts";

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
