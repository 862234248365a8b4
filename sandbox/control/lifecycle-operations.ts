import { jobStates } from "../contract/values.ts";
import { latestBasket } from "../operations/latest-basket.ts";
import { isoOrNull } from "../rules/timestamp.ts";
import type { Database } from "../storage/database.ts";
import { countUpTo, MAX_COUNTED, type Total } from "../storage/lists.ts";
import { mapSliced } from "../storage/slices.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface BasketRow {
  readonly id: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** States of jobs that have a basket. */
const STATES = jobStates.filter((state) => state !== "no_parts");
// Reads each state from its index, however many jobs without parts lie between.
const NEWEST_BASKETS = `SELECT id, created_at, updated_at FROM (${STATES.map(
  (state) =>
    `SELECT * FROM (SELECT seq, id, created_at, updated_at FROM jobs INDEXED BY jobs_by_state WHERE state = '${state}' AND state <> 'no_parts' ORDER BY seq DESC LIMIT ${MAX_COUNTED + 1})`,
).join(" UNION ALL ")}) ORDER BY seq DESC LIMIT ${MAX_COUNTED + 1}`;

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

/** Newest events searched for those of jobs. */
const MAX_EVENTS_READ = 4 * MAX_COUNTED;

const countJobEvents = (db: Database): Total => {
  const newest = `(SELECT procurement_id FROM events ORDER BY seq DESC LIMIT ${MAX_EVENTS_READ})`;
  const { total, total_is_minimum } = countUpTo(db, `${newest} WHERE procurement_id IS NULL`);
  const older = db.get(`SELECT 1 FROM events ORDER BY seq DESC LIMIT 1 OFFSET ${MAX_EVENTS_READ}`);
  return { total, total_is_minimum: total_is_minimum || older !== undefined };
};

const lifecycleControl = control("world.lifecycle", async ({ world, inSlices }) => {
  const { db } = world;
  const now = world.now();
  const since = (ms: number): number => db.toStored(now - ms);
  const baskets = db.all<BasketRow>(NEWEST_BASKETS);
  const offers = await inSlices(() => mapSliced(baskets.slice(0, MAX_COUNTED), (basket) => countOffers(world, basket)));
  const day = since(DAY_MS);
  const ofLastDay = baskets.filter(({ created_at }) => created_at > day).length;
  return {
    // A world's times are relative to its creation, and each change of an order touches its job.
    from_seed: (readMoment(db, "SELECT max(updated_at) AS at FROM jobs") ?? 0) <= 0,
    baskets_last_day: { total: Math.min(ofLastDay, MAX_COUNTED), total_is_minimum: ofLastDay > MAX_COUNTED },
    offers: {
      total: offers.reduce((sum, count) => sum + count, 0),
      total_is_minimum: baskets.length > MAX_COUNTED,
    },
    // A requested order is unchanged since it was placed.
    oldest_requested_at: isoOrNull(
      db.fromStored(readMoment(db, "SELECT min(updated_at) AS at FROM procurements WHERE status = 'order_requested'")),
    ),
    confirmed_last_hour: countUpTo(
      db,
      "procurements WHERE status = 'order_confirmed' AND updated_at > ?",
      since(HOUR_MS),
    ),
    job_events: countJobEvents(db),
  };
});

/** Counts of the order lifecycle, in addition to the summary. */
export const lifecycleControls: readonly BoundControl[] = [lifecycleControl];
