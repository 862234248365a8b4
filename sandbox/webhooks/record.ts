import { nextWaitMs } from "../rules/retry-schedule.ts";
import { deliveryRow } from "../storage/delivery-rows.ts";
import type { Settlement } from "../storage/outbox-store.ts";
import type { World } from "../worlds/world.ts";
import type { Sent } from "./send.ts";

/** D72: only 200 acknowledges; what fails waits for its next try or, when the schedule is used up, has failed. */
export const settlementOf = (
  sent: Sent,
  schedule: Parameters<typeof nextWaitMs>[0],
  now: number,
  jitter: number,
): Settlement => {
  if (sent.status === 200) return { status: "delivered", next_attempt_at: null, settled_at: now };
  const wait = nextWaitMs(schedule, sent.prepared.number, jitter);
  return wait === null
    ? { status: "failed", next_attempt_at: null, settled_at: now }
    : { status: "pending", next_attempt_at: now + wait, settled_at: null };
};

/** Stage three: writes the try down, durable before the next one of its subscription starts. */
export const record = (world: World, sent: Sent): Promise<void> => {
  const { prepared } = sent;
  return world.write((append) => {
    const { outbox } = world.stores;
    // The subscription may have ended while the try was under way; then there is nothing to settle.
    if (!outbox.delivery(prepared.delivery.id)) return;
    outbox.recordAttempt(
      prepared.delivery.seq,
      {
        number: prepared.number,
        started_at: prepared.stampedAt,
        duration_ms: sent.durationMs,
        request_headers: prepared.headers.map(([name, value]): [string, string] => [name, value]),
        request_body: prepared.body,
        response_status: sent.status,
        response_headers: sent.headers,
        response_body: sent.body,
        response_truncated: sent.truncated,
        error: sent.error,
      },
      settlementOf(sent, world.policies.webhook_retries, Date.now(), Math.random()),
    );
    const settled = outbox.delivery(prepared.delivery.id);
    if (settled) append("delivery", settled.event.trace_id, deliveryRow(settled));
  });
};
