import { DEFAULT_WORLD } from "../../sandbox/rules/world-name.ts";
import type { FailedDelivery } from "./live-failures.ts";

/** The words of a notice about failed deliveries: the newest one, and how many there are in all. */
export function noticeWords({ world, delivery }: FailedDelivery, count: number): { title: string; body: string } {
  const { event_type, label, url, attempts_made, last_status, last_error } = delivery;
  const inWorld = world === DEFAULT_WORLD ? "" : ` in the world ${world}`;
  const attempts = attempts_made === 1 ? "1 attempt" : `${attempts_made} attempts`;
  const why = last_status === null ? (last_error ?? "no answer") : `answered ${last_status}`;
  return {
    title: count === 1 ? `A delivery failed${inWorld}` : `${count} deliveries failed`,
    body: `${count === 1 ? "" : `The last one${inWorld}: `}${event_type} ${label} to ${url}: ${why} after ${attempts}`,
  };
}
