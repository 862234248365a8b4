import type { ProcurementStatus } from "../contract/values.ts";
import { isoOrNull } from "../rules/timestamp.ts";
import type { Database } from "./database.ts";
import { countUpTo } from "./lists.ts";

/** Counts of a world's content, jobs exactly and others up to 20,000, and the times of its last changes. */
export const createTotals = (db: Database) => {
  const last = (from: string, ...values: readonly unknown[]): string | null => {
    const found = db.get<{ at: number | null }>(`SELECT max(updated_at) AS at FROM ${from}`, ...values);
    return isoOrNull(db.fromStored(found?.at ?? null));
  };
  const inStatus = (status: ProcurementStatus) => ({
    ...countUpTo(db, "procurements WHERE status = ?", status),
    last_at: last("procurements WHERE status = ?", status),
  });
  return {
    jobs: {
      total: db.get<{ n: number }>("SELECT count(*) AS n FROM jobs")?.n ?? 0,
      total_is_minimum: false,
      last_changed_at: last("jobs"),
    },
    parts: countUpTo(db, "job_parts"),
    baskets: countUpTo(db, "jobs WHERE state <> 'no_parts'"),
    procurements: {
      ...countUpTo(db, "procurements"),
      by_status: {
        order_requested: inStatus("order_requested"),
        order_confirmed: inStatus("order_confirmed"),
        cancelled: inStatus("cancelled"),
      },
    },
    events: countUpTo(db, "events"),
  };
};
