import { type Health, healthAfter, isGivenUp } from "../rules/subscription-health.ts";
import type { Append, World } from "../worlds/world.ts";
import type { Sent } from "./send.ts";
import { subscriptionChanged } from "./subscriptions.ts";

/**
 * Keeps how an address fares after its attempts, in the order they ended, and pauses it when it has failed for too long.
 * Call inside a write.
 */
export const recordHealth = (
  world: World,
  append: Append,
  subscriptionId: string,
  attempts: readonly { readonly sent: Sent; readonly endedAt: number }[],
): void => {
  const { subscriptions } = world.stores;
  const before = subscriptions.get(subscriptionId);
  if (!before) return;
  let health: Health = before;
  let givenUpAt: number | null = null;
  for (const { sent, endedAt } of attempts) {
    const { acknowledged, status, error, prepared } = sent;
    health = healthAfter(health, acknowledged ? null : { delivery_id: prepared.delivery.id, status, error }, endedAt);
    givenUpAt = isGivenUp(health, endedAt) ? endedAt : null;
  }
  subscriptions.setHealth(before.seq, health);
  if (givenUpAt === null || before.paused_at !== null) return;
  subscriptions.pause(before.seq, givenUpAt, "failures");
  const after = subscriptions.get(subscriptionId);
  const trace = attempts.at(-1)?.sent.prepared.delivery.event.trace_id ?? null;
  if (after) append("state", trace, subscriptionChanged(before, after));
};
