import type { DrillRow } from "../contract/control/receiver-rows.ts";
import { type DeliveryStatus, deliveryStatuses } from "../contract/control/rows.ts";
import type { EventType } from "../contract/event-types.ts";
import type { Database } from "./database.ts";

/** Of one integration so many of its newest calls, and so many of the newest deliveries of each subscription and status. */
const MOST_COUNTED = 5_000;

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
  /** It took more than one attempt. */
  readonly retried: boolean;
}
/** What was counted, and whether there may be more. */
export interface Tally<Row> {
  readonly rows: readonly Row[];
  readonly isMinimum: boolean;
}

// The newest first, and of those the partner's own: the other way round it would look for them without an end.
const CALLS = `
  SELECT operation, status, error_code, count(*) AS n, min(at) AS first_at, max(at) AS last_at FROM (
    SELECT operation, status, error_code, at, origin, replays_id FROM requests WHERE integration_id = ? ORDER BY seq DESC LIMIT ${MOST_COUNTED}
  ) WHERE origin IS NULL AND replays_id IS NULL GROUP BY operation, status, error_code`;
const CALLS_BEYOND = `SELECT 1 FROM requests WHERE integration_id = ? LIMIT 1 OFFSET ${MOST_COUNTED}`;
const DELIVERIES = `
  SELECT e.event_type, d.status, d.attempts_made > 1 AS retried, count(*) AS n, min(d.created_at) AS first_at, max(d.created_at) AS last_at
  FROM (
    SELECT event_seq, status, attempts_made, created_at FROM deliveries WHERE subscription_seq = ? AND status = ? ORDER BY seq DESC LIMIT ${MOST_COUNTED}
  ) d CROSS JOIN events e ON e.seq = d.event_seq WHERE e.id <> e.trace_id GROUP BY 1, 2, 3`;
const DRILLS = "SELECT summary FROM drills WHERE subscription_id = ? ORDER BY drill, seq";

/** What is on record of one integration, counted. */
export class ReadinessStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly #real = <Row extends Counted>(row: Row): Row => ({
    ...row,
    first_at: this.#db.fromStored(row.first_at),
    last_at: this.#db.fromStored(row.last_at),
  });

  /** The calls a partner made with the integration's key. */
  calls(integrationId: string): Tally<CountedCalls> {
    const rows = this.#db.all<CountedCalls>(CALLS, integrationId).map(this.#real);
    return { rows, isMinimum: this.#db.get(CALLS_BEYOND, integrationId) !== undefined };
  }

  /** @param subscription its row, with how many deliveries of each status it has */
  deliveries(
    subscription: Readonly<Record<DeliveryStatus, number>> & { readonly seq: number },
  ): Tally<CountedDeliveries> {
    const rows = deliveryStatuses.flatMap((status) =>
      this.#db.all<CountedDeliveries>(DELIVERIES, subscription.seq, status),
    );
    return {
      rows: rows.map((row) => this.#real({ ...row, retried: Boolean(row.retried) })),
      isMinimum: deliveryStatuses.some((status) => subscription[status] > MOST_COUNTED),
    };
  }

  /** Every result of a subscription's drills that is kept. */
  drills(subscriptionId: string): DrillRow[] {
    return this.#db
      .all<{ summary: string }>(DRILLS, subscriptionId)
      .map(({ summary }) => JSON.parse(summary) as DrillRow);
  }
}
