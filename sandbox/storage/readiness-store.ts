import type { DrillRow } from "../contract/control/receiver-rows.ts";
import { type DeliveryStatus, deliveryStatuses } from "../contract/control/rows.ts";
import type { EventType } from "../contract/event-types.ts";
import type { Database } from "./database.ts";

/** Of one integration so many of its newest calls, and so many of the newest deliveries of each subscription and status. */
const MOST_COUNTED = 5_000;

interface Counted {
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly first_at: number;
  readonly last_at: number;
}
/** Calls of one operation that were answered the same. */
export interface CountedCalls extends Counted {
  readonly operation: string | null;
  readonly status: number;
  readonly error_code: string | null;
}
/** Deliveries of one type of event that went the same. */
export interface CountedDeliveries extends Counted {
  readonly event_type: EventType;
  readonly status: DeliveryStatus;
  /** It took more than one attempt. */
  readonly retried: boolean;
}
/** What was counted, and whether there was more. */
export interface Tally<Row> {
  readonly rows: readonly Row[];
  readonly isMinimum: boolean;
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

  #real<Row extends Counted>(rows: readonly Row[]): Row[] {
    return rows.map((row) => ({
      ...row,
      first_at: this.#db.fromStored(row.first_at),
      last_at: this.#db.fromStored(row.last_at),
    }));
  }

  #isMore(sql: string, ...values: readonly unknown[]): boolean {
    return this.#db.get(`${sql} LIMIT 1 OFFSET ${MOST_COUNTED}`, ...values) !== undefined;
  }

  /** The calls a partner made with the integration's key. */
  calls(integrationId: string): Tally<CountedCalls> {
    return {
      rows: this.#real(this.#db.all<CountedCalls>(CALLS, integrationId)),
      isMinimum: this.#isMore("SELECT 1 FROM requests WHERE integration_id = ?", integrationId),
    };
  }

  /** @param subscription its row */
  deliveries(subscription: number): Tally<CountedDeliveries> {
    const rows = deliveryStatuses.flatMap((status) =>
      this.#db
        .all<CountedDeliveries>(DELIVERIES, subscription, status)
        .map((row) => ({ ...row, retried: Boolean(row.retried) })),
    );
    const isMinimum = deliveryStatuses.some((status) =>
      this.#isMore("SELECT 1 FROM deliveries WHERE subscription_seq = ? AND status = ?", subscription, status),
    );
    return { rows: this.#real(rows), isMinimum };
  }

  /** Every result of a subscription's drills that is kept, in the order of the drills and the oldest of each first. */
  drills(subscriptionId: string): DrillRow[] {
    return this.#db
      .all<{ summary: string }>(
        "SELECT summary FROM drills WHERE subscription_id = ? ORDER BY drill, seq",
        subscriptionId,
      )
      .map(({ summary }) => JSON.parse(summary) as DrillRow);
  }
}
