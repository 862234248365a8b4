import { type ProcurementStatus, procurementStatuses } from "../contract/values.ts";
import type { Database } from "./database.ts";
import { countUpTo, type Total } from "./lists.ts";

/** How many procurements are in a status, and when the last of them came into it. */
export interface InStatus extends Total {
  readonly last_at: number | null;
}

/** How much there is in a world, each counted as far as a list is; times are in milliseconds since 1970. */
export const totalsOf = (db: Database) => {
  const last = (from: string, ...values: readonly unknown[]): number | null =>
    db.fromStored(db.get<{ at: number | null }>(`SELECT max(updated_at) AS at FROM ${from}`, ...values)?.at ?? null);
  const inStatus = (status: ProcurementStatus): InStatus => ({
    ...countUpTo(db, "procurements WHERE status = ?", status),
    last_at: last("procurements WHERE status = ?", status),
  });
  return {
    jobs: { ...countUpTo(db, "jobs"), last_changed_at: last("jobs") },
    parts: countUpTo(db, "job_parts"),
    baskets: countUpTo(db, "jobs WHERE state <> 'no_parts'"),
    procurements: countUpTo(db, "procurements"),
    by_status: Object.fromEntries(procurementStatuses.map((status) => [status, inStatus(status)])) as Record<
      ProcurementStatus,
      InStatus
    >,
    events: countUpTo(db, "events"),
  };
};
