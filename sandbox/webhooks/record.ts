import { MOST_LOST } from "../rules/lost-tries.ts";
import { nextWaitMs } from "../rules/retry-schedule.ts";
import { type Health, healthAfter, isGivenUp } from "../rules/subscription-health.ts";
import type { AttemptRecord, DeliveryRecord, Settlement } from "../storage/delivery-records.ts";
import { deliveryRow } from "../storage/delivery-rows.ts";
import type { Append, World } from "../worlds/world.ts";
import type { Sent } from "./send.ts";
import { subscriptionChanged } from "./subscription-changes.ts";

/** A try that ended, and what it comes to. `endedAt` is real time, milliseconds since 1970. */
export interface Tried {
  readonly sent: Sent;
  readonly settlement: Settlement;
  readonly endedAt: number;
}

/** D72: only 200 acknowledges, and only where the whole answer came or was cut by us. */
export const isAcknowledged = ({ status, error }: Pick<Sent, "status" | "error">): boolean =>
  status === 200 && error === null;

/** A try as the schedule sees it. */
interface Scheduled extends Pick<Sent, "status" | "error" | "lost"> {
  readonly prepared: { readonly number: number; readonly delivery: Pick<DeliveryRecord, "lost_tries"> };
}

/** Whether a try counts for nothing and goes again at once. */
export const isLost = ({ lost, prepared }: Scheduled): boolean => lost && prepared.delivery.lost_tries < MOST_LOST;

/**
 * D72: what was not acknowledged waits for its next try or, when the schedule is used up, has failed. Tries that were
 * lost are no steps of it.
 */
export const settlementOf = (
  sent: Scheduled,
  schedule: Parameters<typeof nextWaitMs>[0],
  now: number,
  jitter: number,
): Settlement => {
  if (isAcknowledged(sent)) return { status: "delivered", next_attempt_at: null, settled_at: now };
  const { number, delivery } = sent.prepared;
  const wait = isLost(sent) ? 0 : nextWaitMs(schedule, number - delivery.lost_tries, jitter);
  return wait === null
    ? { status: "failed", next_attempt_at: null, settled_at: now }
    : { status: "pending", next_attempt_at: now + wait, settled_at: null };
};

const attemptOf = ({ prepared, ...sent }: Sent): AttemptRecord => ({
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
});

/** A delivery as it is once the try is recorded. */
export const afterTry = (delivery: DeliveryRecord, { sent, settlement }: Tried): DeliveryRecord => ({
  ...delivery,
  ...settlement,
  attempts_made: sent.prepared.number,
  lost_tries: delivery.lost_tries + (isLost(sent) ? 1 : 0),
  last_status: sent.status,
  last_error: sent.error,
});

/** How the address fares after its tries, in the order they ended; paused when it has failed for too long. */
const recordHealth = (world: World, append: Append, subscriptionId: string, tries: readonly Tried[]): void => {
  const { subscriptions } = world.stores;
  const standing = subscriptions.standing(subscriptionId);
  if (!standing) return;
  let health: Health = standing;
  let givenUpAt: number | null = null;
  for (const { sent, endedAt } of tries) {
    if (isLost(sent)) continue;
    health = healthAfter(health, isAcknowledged(sent), endedAt);
    givenUpAt = isGivenUp(health, endedAt) ? endedAt : null;
  }
  subscriptions.setHealth(standing.lane, health);
  if (givenUpAt === null || standing.paused_at !== null) return;
  subscriptions.pause(standing.lane, givenUpAt, "failures");
  const paused = subscriptions.standing(subscriptionId);
  const trace = tries.at(-1)?.sent.prepared.delivery.event.trace_id ?? null;
  if (paused) append("state", trace, subscriptionChanged(standing, paused));
};

/**
 * Stage three: writes tries down, all of them in one commit, with what they say of each subscription. A delivery counts
 * as delivered from here on, and not before.
 */
export const record = (world: World, tries: readonly Tried[]): Promise<void> =>
  world.write((append) => {
    const { outbox } = world.stores;
    const bySubscription = new Map<string, Tried[]>();
    for (const tried of tries) {
      const { delivery } = tried.sent.prepared;
      // The subscription may have ended while the try was under way; then there is nothing to settle.
      const settled = outbox.settle(delivery, attemptOf(tried.sent), tried.settlement);
      if (!settled) continue;
      // Each says itself of which trace it is; so all of them are told in one go.
      append("delivery", null, deliveryRow(settled));
      const same = bySubscription.get(delivery.subscription_id);
      if (same) same.push(tried);
      else bySubscription.set(delivery.subscription_id, [tried]);
    }
    for (const [id, same] of bySubscription) recordHealth(world, append, id, same);
  });
