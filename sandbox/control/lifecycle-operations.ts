import { latestBasket } from "../operations/latest-basket.ts";
import { isoOrNull } from "../rules/timestamp.ts";
import type { Database } from "../storage/database.ts";
import { countUpTo, MAX_COUNTED } from "../storage/lists.ts";
import { mapSliced } from "../storage/slices.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface BasketRow {
  readonly id: string;
  readonly updated_at: number;
}

/** Number of offers by job, cached until the job or the policy `test_values` changes. */
const offerCounts = new WeakMap<World, Map<string, { readonly of: string; readonly offers: number }>>();

const countOffers = (world: World, { id, updated_at }: BasketRow): number => {
  const counts = offerCounts.get(world) ?? new Map();
  offerCounts.set(world, counts);
  const of = `${updated_at} ${world.policies.test_values}`;
  const found = counts.get(id);
  if (found?.of === of) return found.offers;
  const { stores, policies } = world;
  const job = stores.jobs.get(id);
  const offers = job ? latestBasket({ stores, policies, note: () => undefined }, job).offers.length : 0;
  counts.set(id, { of, offers });
  return offers;
};

const readMoment = (db: Database, sql: string): number | null => db.get<{ at: number | null }>(sql)?.at ?? null;

const lifecycleControl = control("world.lifecycle", async ({ world, inSlices }) => {
  const { db } = world;
  const now = world.now();
  const since = (ms: number): number => db.toStored(now - ms);
  const baskets = db.all<BasketRow>(
    `SELECT id, updated_at FROM jobs WHERE state <> 'no_parts' ORDER BY seq DESC LIMIT ${MAX_COUNTED + 1}`,
  );
  const offers = await inSlices(() => mapSliced(baskets.slice(0, MAX_COUNTED), (basket) => countOffers(world, basket)));
  const day = since(DAY_MS);
  return {
    // A world's times are relative to its creation, and each change of an order touches its job.
    from_seed: (readMoment(db, "SELECT max(updated_at) AS at FROM jobs") ?? 0) <= 0,
    baskets_last_day: countUpTo(db, "jobs WHERE updated_at > ? AND created_at > ? AND state <> 'no_parts'", day, day),
    offers: {
      total: offers.reduce((sum, count) => sum + count, 0),
      total_is_minimum: baskets.length > MAX_COUNTED,
    },
    oldest_requested_at: isoOrNull(
      db.fromStored(readMoment(db, "SELECT min(created_at) AS at FROM procurements WHERE status = 'order_requested'")),
    ),
    confirmed_last_hour: countUpTo(
      db,
      "procurements WHERE status = 'order_confirmed' AND updated_at > ?",
      since(HOUR_MS),
    ),
    job_events: countUpTo(db, "events WHERE procurement_id IS NULL"),
  };
});

/** Counts of the order lifecycle, in addition to the summary. */
export const lifecycleControls: readonly BoundControl[] = [lifecycleControl];
