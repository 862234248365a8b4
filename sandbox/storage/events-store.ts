import { type DeliveryStatus, deliveryStatuses, type EventRow } from "../contract/control/rows.ts";
import { iso } from "../rules/timestamp.ts";
import type { Database } from "./database.ts";

type StoredEvent = Omit<EventRow, "event_timestamp" | "payload"> & {
  readonly event_timestamp: number;
  readonly payload: string;
};

/** Delivery counts of a trace by status. */
interface TraceDeliveries extends Readonly<Record<DeliveryStatus, number>> {
  readonly id: string;
  /** Failed attempts of the pending deliveries. */
  readonly failed_attempts: number;
  /** Events without a subscriber. */
  readonly to_nobody: number;
}

const SELECT =
  "SELECT id, event_type, event_timestamp, organization_id, payload, trace_id, label, deliveries FROM events";

/** Reads events for the control plane. The outbox writes them. */
export class EventsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly #row = (row: StoredEvent): EventRow => ({
    ...row,
    event_timestamp: iso(this.#db.fromStored(row.event_timestamp)),
    payload: JSON.parse(row.payload) as Record<string, string>,
  });

  get(seq: number): EventRow | undefined {
    const found = this.#db.get<StoredEvent>(`${SELECT} WHERE seq = ?`, seq);
    return found && this.#row(found);
  }

  /** Real time at which the event was stored, in milliseconds since 1970. */
  recordedAt(seq: number): number {
    return this.#db.fromStored(this.#db.get<{ at: number }>("SELECT at FROM events WHERE seq = ?", seq)?.at ?? 0);
  }

  /** Events of a trace, in order. */
  listByTrace(traceId: string): EventRow[] {
    return this.#db.all<StoredEvent>(`${SELECT} WHERE trace_id = ? ORDER BY seq`, traceId).map(this.#row);
  }

  /** Delivery counts of the newest events' traces. Repeated deliveries are not counted. */
  deliveriesOfTraces(events: number): TraceDeliveries[] {
    return this.#db.all<TraceDeliveries>(
      `SELECT e.trace_id AS id, ${deliveryStatuses.map((status) => `count(iif(d.status = '${status}', 1, NULL)) AS ${status}`).join(", ")}, ` +
        "sum(iif(d.status = 'pending', d.attempts_made, 0)) AS failed_attempts, count(iif(e.deliveries = 0, 1, NULL)) AS to_nobody " +
        "FROM events e LEFT JOIN deliveries d ON d.event_seq = e.seq AND d.repeats_id IS NULL " +
        "WHERE e.trace_id IN (SELECT trace_id FROM events ORDER BY seq DESC LIMIT ?) GROUP BY e.trace_id",
      events,
    );
  }

  /** The newest events with IDs in a range, each with its trace and first delivery. */
  between(
    from: string,
    below: string,
    limit: number,
  ): { readonly id: string; readonly trace_id: string; readonly delivery_id: string | null }[] {
    return this.#db.all(
      "SELECT id, trace_id, (SELECT d.id FROM deliveries d WHERE d.event_seq = e.seq ORDER BY d.seq LIMIT 1) AS delivery_id " +
        "FROM events e WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
      from,
      below,
      limit,
    );
  }

  /** `seq` of the event with this ID or `message_id`. */
  find(id: string): number | undefined {
    return this.#db.get<{ seq: number }>(
      "SELECT seq FROM events WHERE id = ? UNION ALL SELECT event_seq FROM deliveries WHERE message_id = ? LIMIT 1",
      id,
      id,
    )?.seq;
  }
}
