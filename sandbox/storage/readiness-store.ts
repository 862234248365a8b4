import { type DeliveryStatus, deliveryStatuses } from "../contract/control/rows.ts";
import type { EventType } from "../contract/event-types.ts";
import type { Database } from "./database.ts";

/** Of one integration so many of its newest calls are counted, and of each subscription and status so many deliveries. */
export const MOST_COUNTED = 5_000;

/** How many there were, and when first and last, in milliseconds since 1970. */
export interface Counted {
  readonly n: number;
  readonly first_at: number;
  readonly last_at: number;
}
/** Calls of one operation that were answered the same; `operation` is null where none was reached. */
export interface CountedCalls extends Counted {
  readonly operation: string | null;
  readonly status: number;
  readonly error_code: string | null;
}
/** Deliveries of one type of event that went the same. */
export interface CountedDeliveries extends Counted {
  readonly event_type: EventType;
  readonly status: DeliveryStatus;
  /** 1: it took more than one attempt. */
  readonly retried: number;
}

// The newest first, and of those the partner's own: the other way round it would look for them without an end.
const CALLS = `
  SELECT operation, status, error_code, count(*) AS n, min(at) AS first_at, max(at) AS last_at FROM (
    SELECT operation, status, error_code, at, origin, replays_id FROM requests WHERE integration_id = ? ORDER BY seq DESC LIMIT ${MOST_COUNTED}
  ) WHERE origin IS NULL AND replays_id IS NULL GROUP BY operation, status, error_code`;
const DELIVERIES = `
  SELECT e.event_type, d.status, d.attempts_made > 1 AS retried, count(*) AS n, min(d.created_at) AS first_at, max(d.created_at) AS last_at
  FROM (
    SELECT event_seq, status, attempts_made, created_at FROM deliveries WHERE subscription_seq = ? AND status = ? ORDER BY seq DESC LIMIT ${MOST_COUNTED}
  ) d CROSS JOIN events e ON e.seq = d.event_seq WHERE e.id <> e.trace_id GROUP BY 1, 2, 3`;

/** What is on record of one integration, counted. */
export class ReadinessStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #counted<Row extends Counted>(sql: string, ...values: readonly unknown[]): Row[] {
    const db = this.#db;
    return db.all<Row>(sql, ...values).map((row) => ({
      ...row,
      first_at: db.fromStored(row.first_at),
      last_at: db.fromStored(row.last_at),
    }));
  }

  /** The calls a partner made with the integration's key. */
  calls(integrationId: string): CountedCalls[] {
    return this.#counted(CALLS, integrationId);
  }

  /** What was sent to a subscription, by its `seq`; test events are not. */
  deliveries(subscription: number): CountedDeliveries[] {
    return deliveryStatuses.flatMap((status) => this.#counted<CountedDeliveries>(DELIVERIES, subscription, status));
  }
}
