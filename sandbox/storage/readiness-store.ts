import { type DeliveryStatus, deliveryStatuses } from "../contract/control/rows.ts";
import type { EventType } from "../contract/event-types.ts";
import type { Database } from "./database.ts";

/** Newest calls counted for an integration, and newest deliveries for each subscription and status. */
const MAX_RECORDS_COUNTED = 5_000;

/** A count with the times of the first and last, in milliseconds since 1970. */
export interface CountedSpan {
  readonly n: number;
  readonly first_at: number;
  readonly last_at: number;
}
/** Calls of one operation with the same result; `operation` is null if none was reached. */
export interface CountedCalls extends CountedSpan {
  readonly operation: string | null;
  readonly status: number;
  readonly error_code: string | null;
}
/** Deliveries of one event type with the same status. */
export interface CountedDeliveries extends CountedSpan {
  readonly event_type: EventType;
  readonly status: DeliveryStatus;
  /** 1 if it took more than one attempt. */
  readonly retried: number;
}

// Limits before it filters: filtering first could scan the whole table for a partner's own calls.
const CALLS = `
  SELECT operation, status, error_code, count(*) AS n, min(at) AS first_at, max(at) AS last_at FROM (
    SELECT operation, status, error_code, at, origin, replays_id FROM requests WHERE integration_id = ? ORDER BY seq DESC LIMIT ${MAX_RECORDS_COUNTED}
  ) WHERE origin IS NULL AND replays_id IS NULL GROUP BY operation, status, error_code`;
const DELIVERIES = `
  SELECT e.event_type, d.status, d.attempts_made > 1 AS retried, count(*) AS n, min(d.created_at) AS first_at, max(d.created_at) AS last_at
  FROM (
    SELECT event_seq, status, attempts_made, created_at FROM deliveries WHERE subscription_seq = ? AND status = ? ORDER BY seq DESC LIMIT ${MAX_RECORDS_COUNTED}
  ) d CROSS JOIN events e ON e.seq = d.event_seq WHERE e.id <> e.trace_id GROUP BY 1, 2, 3`;

export class ReadinessStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #counted<Row extends CountedSpan>(sql: string, ...values: readonly unknown[]): Row[] {
    const db = this.#db;
    return db.all<Row>(sql, ...values).map((row) => ({
      ...row,
      first_at: db.fromStored(row.first_at),
      last_at: db.fromStored(row.last_at),
    }));
  }

  /** Calls a partner made with the integration's key. */
  calls(integrationId: string): CountedCalls[] {
    return this.#counted(CALLS, integrationId);
  }

  /** Deliveries to a subscription, by its `seq`, without test events. */
  deliveries(subscription: number): CountedDeliveries[] {
    return deliveryStatuses.flatMap((status) => this.#counted<CountedDeliveries>(DELIVERIES, subscription, status));
  }
}
