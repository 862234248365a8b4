import { jobStates } from "../contract/values.ts";
import { latestBasket } from "../operations/latest-basket.ts";
import { startOfDay } from "../rules/start-of-day.ts";
import { isoOrNull } from "../rules/timestamp.ts";
import type { Database } from "../storage/database.ts";
import { countUpTo, MAX_COUNTED, type Total } from "../storage/lists.ts";
import { mapSliced } from "../storage/slices.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";

const HOUR_MS = 3_600_000;

interface BasketRow {
  readonly id: string;
  readonly updated_at: number;
}

/** States of jobs that have a basket. */
const STATES = jobStates.filter((state) => state !== "no_parts");
// Reads each state from its index, however many jobs without parts lie between.
const NEWEST_BASKETS = `SELECT id, updated_at FROM (${STATES.map(
  (state) =>
    `SELECT * FROM (SELECT seq, id, updated_at FROM jobs INDEXED BY jobs_by_state WHERE state = '${state}' AND state <> 'no_parts' ORDER BY seq DESC LIMIT ${MAX_COUNTED + 1})`,
).join(" UNION ALL ")}) ORDER BY seq DESC LIMIT ${MAX_COUNTED + 1}`;

/** Number of offers by job, cached until the job or the policy `test_values` changes. */
const offerCounts = new WeakMap<World, Map<string, { readonly version: string; readonly offers: number }>>();

const countOffers = (world: World, { id, updated_at }: BasketRow): number => {
  const counts = offerCounts.get(world) ?? new Map();
  offerCounts.set(world, counts);
  const version = `${updated_at} ${world.policies.test_values}`;
  const found = counts.get(id);
  if (found?.version === version) return found.offers;
  const { stores, policies } = world;
  const job = stores.jobs.get(id);
  const offers = job ? latestBasket({ stores, policies, note: () => undefined }, job).offers.length : 0;
  counts.set(id, { version, offers });
  return offers;
};

const readMoment = (db: Database, sql: string): number | null => db.get<{ at: number | null }>(sql)?.at ?? null;

const countJobEvents = (db: Database): Total => {
  const { total, total_is_minimum } = countUpTo(db, "events");
  return { total: total - countUpTo(db, "events WHERE procurement_id IS NOT NULL").total, total_is_minimum };
};

// Named, because SQLite would take the index of all statuses and read each requested order.
const OLDEST_REQUESTED =
  "SELECT min(created_at) AS at FROM procurements INDEXED BY procurements_requested WHERE status = 'order_requested'";

/** A browser may know a newer time zone than this program; its viewer gets the day of UTC. */
const startOfToday = (now: number, timeZone = "UTC"): number => {
  try {
    return startOfDay(now, timeZone);
  } catch {
    return startOfDay(now, "UTC");
  }
};

const lifecycleControl = control("world.lifecycle", async ({ world, inSlices }, { time_zone }) => {
  const { db } = world;
  const now = world.now();
  const baskets = db.all<BasketRow>(NEWEST_BASKETS);
  const offers = await inSlices(() => mapSliced(baskets.slice(0, MAX_COUNTED), (basket) => countOffers(world, basket)));
  return {
    // A world's times are relative to its creation, and each change of an order touches its job.
    from_seed: (readMoment(db, "SELECT max(updated_at) AS at FROM jobs") ?? 0) <= 0,
    baskets_today: countUpTo(
      db,
      "jobs WHERE state <> 'no_parts' AND created_at >= ?",
      db.toStored(startOfToday(now, time_zone)),
    ),
    offers: {
      total: offers.reduce((sum, count) => sum + count, 0),
      total_is_minimum: baskets.length > MAX_COUNTED,
    },
    oldest_requested_at: isoOrNull(db.fromStored(readMoment(db, OLDEST_REQUESTED))),
    confirmed_last_hour: countUpTo(
      db,
      "procurements WHERE status = 'order_confirmed' AND updated_at > ?",
      db.toStored(now - HOUR_MS),
    ),
    job_events: countJobEvents(db),
  };
});

/** Counts of the order lifecycle, in addition to the summary. */
export const lifecycleControls: readonly BoundControl[] = [lifecycleControl];
