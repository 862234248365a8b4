import { deliveryRow } from "../storage/delivery-rows.ts";
import type { Standing } from "../storage/subscriptions-store.ts";
import type { Append, World } from "../worlds/world.ts";
import { unsubscribed } from "./subscription-changes.ts";

/** So many deliveries are told of in one commit: a backlog of any size holds nobody up. */
const TOLD_AT_ONCE = 500;

/** A subscription that has ended in the file, and whose last deliveries may not all be told of yet. */
export interface Ended {
  /** Tells of those that are left, once the write is committed. */
  readonly tellRest: () => Promise<void>;
}

/** @returns where to go on, or null when all are told of */
const tell = (world: World, append: Append, lane: number, at: number, after: number): number | null => {
  const given = world.stores.outbox.endedWith(lane, at, after, TOLD_AT_ONCE);
  for (const delivery of given) append("delivery", null, deliveryRow(delivery));
  return given.length < TOLD_AT_ONCE ? null : (given.at(-1)?.seq ?? null);
};

/**
 * Ends a subscription with what waits for it, all in one write: what was tried is given up, the rest never happened. Its
 * readers are told of the subscription and of each delivery that was given up, the first of them at once.
 */
export const unsubscribe = (world: World, append: Append, ending: Standing): Ended => {
  const at = Date.now();
  append("state", null, unsubscribed(ending));
  world.stores.subscriptions.delete(ending.id, at);
  const next = tell(world, append, ending.lane, at, 0);
  const tellRest = async (): Promise<void> => {
    for (let after = next; after !== null && !world.closed; ) {
      const from = after;
      after = await world.write((more) => tell(world, more, ending.lane, at, from));
    }
  };
  return { tellRest };
};
