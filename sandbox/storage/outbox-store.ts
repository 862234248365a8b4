import type { DeliveryStatus, Side } from "../contract/control/rows.ts";
import type { AnnouncedStatus, ChangeAction, EventPayload, EventType } from "../contract/events.ts";
import type { Database } from "./database.ts";

export interface EventRecord {
  readonly id: string;
  readonly event_type: EventType;
  readonly event_timestamp: number;
  readonly organization_id: string;
  readonly payload: EventPayload;
  readonly trace_id: string;
  readonly job_id: string;
  readonly procurement_id: string | null;
  readonly label: string;
  readonly announces: AnnouncedStatus | ChangeAction;
}

export interface NewDelivery {
  readonly id: string;
  readonly event_seq: number;
  readonly message_id: string;
  readonly integration_id: string;
  readonly subscription_id: string;
  readonly url: string;
  readonly created_at: number;
  readonly repeats_id: string | null;
}

/** A delivery with the event it carries. */
export interface DeliveryRecord extends Omit<NewDelivery, "event_seq"> {
  readonly seq: number;
  readonly event_seq: number;
  readonly status: DeliveryStatus;
  readonly attempts_made: number;
  readonly next_attempt_at: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly settled_at: number | null;
  readonly event: EventRecord;
  readonly side: Side;
}

export interface AttemptRecord {
  readonly number: number;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly request_headers: [string, string][];
  readonly request_body: Buffer;
  readonly response_status: number | null;
  readonly response_headers: [string, string][];
  readonly response_body: Buffer;
  readonly response_truncated: boolean;
  readonly error: string | null;
}

/** How a try ended: acknowledged, to be tried again, or given up. */
export interface Settlement {
  readonly status: DeliveryStatus;
  readonly next_attempt_at: number | null;
  readonly settled_at: number | null;
}

const EVENT =
  "e.id AS e_id, e.event_type, e.event_timestamp, e.organization_id, e.payload, e.trace_id, e.job_id, e.procurement_id, e.label, e.announces";
const DELIVERY =
  "d.seq, d.id, d.event_seq, d.message_id, d.integration_id, d.subscription_id, d.url, d.status, d.attempts_made, d.next_attempt_at, " +
  "d.last_status, d.last_error, d.created_at, d.settled_at, d.repeats_id";

/** The columns of a delivery joined with its event, for the control plane's lists too. */
export const DELIVERY_SELECT = `SELECT ${DELIVERY}, ${EVENT} FROM deliveries d JOIN events e ON e.seq = d.event_seq`;

const NEXT_LANE = "SELECT subscription_id FROM deliveries INDEXED BY deliveries_lane WHERE status = 'pending'";

interface Joined extends Omit<DeliveryRecord, "event" | "side"> {
  readonly e_id: string;
  readonly event_type: EventType;
  readonly event_timestamp: number;
  readonly organization_id: string;
  readonly payload: string;
  readonly trace_id: string;
  readonly job_id: string;
  readonly procurement_id: string | null;
  readonly label: string;
  readonly announces: EventRecord["announces"];
}

export const sideOfEvent = (type: EventType): Side => (type === "supplier.procurements" ? "supplier" : "repairer");

/** Events, the deliveries they became, and every try. */
export class OutboxStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns the event's place in the world's order */
  insertEvent(event: EventRecord): number {
    return this.#db.run(
      "INSERT INTO events (id, event_type, event_timestamp, organization_id, payload, trace_id, job_id, procurement_id, label, announces) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      event.id,
      event.event_type,
      this.#db.toStored(event.event_timestamp),
      event.organization_id,
      JSON.stringify(event.payload),
      event.trace_id,
      event.job_id,
      event.procurement_id,
      event.label,
      event.announces,
    ).rowid;
  }

  insertDelivery(delivery: NewDelivery): void {
    const at = this.#db.toStored(delivery.created_at);
    this.#db.run(
      "INSERT INTO deliveries (id, event_seq, message_id, integration_id, subscription_id, url, status, attempts_made, next_attempt_at, created_at, repeats_id) " +
        "VALUES (?, ?, ?, ?, ?, ?, 'pending', 0, ?, ?, ?)",
      delivery.id,
      delivery.event_seq,
      delivery.message_id,
      delivery.integration_id,
      delivery.subscription_id,
      delivery.url,
      at,
      at,
      delivery.repeats_id,
    );
  }

  /** A row of {@link DELIVERY_SELECT} as a record. */
  readonly record = (row: Joined): DeliveryRecord => {
    const {
      e_id,
      event_type,
      event_timestamp,
      organization_id,
      payload,
      trace_id,
      job_id,
      procurement_id,
      label,
      announces,
      ...delivery
    } = row;
    return {
      ...delivery,
      created_at: this.#db.fromStored(row.created_at),
      next_attempt_at: this.#db.fromStored(row.next_attempt_at),
      settled_at: this.#db.fromStored(row.settled_at),
      side: sideOfEvent(event_type),
      event: {
        id: e_id,
        event_type,
        event_timestamp: this.#db.fromStored(event_timestamp),
        organization_id,
        payload: JSON.parse(payload) as EventPayload,
        trace_id,
        job_id,
        procurement_id,
        label,
        announces,
      },
    };
  };

  delivery(id: string): DeliveryRecord | undefined {
    const row = this.#db.get<Joined>(`${DELIVERY_SELECT} WHERE d.id = ?`, id);
    return row && this.record(row);
  }

  /**
   * The first due delivery of each subscription that is not busy, in event order, at most `limit` (D73).
   *
   * @param busy subscriptions that have a try in flight
   */
  due(now: number, busy: ReadonlySet<string>, limit: number): DeliveryRecord[] {
    return this.#db
      .all<{ subscription_id: string; seq: number | null }>(
        // From one pending subscription to the next by the index, then to the first that is due in each.
        `WITH RECURSIVE lane (id) AS (
           SELECT (${NEXT_LANE} AND subscription_id > '' ORDER BY subscription_id LIMIT 1)
           UNION ALL
           SELECT (${NEXT_LANE} AND subscription_id > lane.id ORDER BY subscription_id LIMIT 1) FROM lane WHERE lane.id IS NOT NULL
         )
         SELECT lane.id AS subscription_id, (SELECT d.seq FROM deliveries d INDEXED BY deliveries_lane
           WHERE d.subscription_id = lane.id AND d.status = 'pending' AND d.next_attempt_at <= ? ORDER BY d.seq LIMIT 1) AS seq
         FROM lane WHERE lane.id IS NOT NULL`,
        this.#db.toStored(now),
      )
      .flatMap(({ subscription_id, seq }) => (seq === null || busy.has(subscription_id) ? [] : [seq]))
      .sort((one, other) => one - other)
      .slice(0, limit)
      .flatMap((seq) => this.#db.all<Joined>(`${DELIVERY_SELECT} WHERE d.seq = ?`, seq).map(this.record));
  }

  /** When the next pending delivery is due, or null when none waits. */
  nextDueAt(): number | null {
    const row = this.#db.get<{ at: number | null }>(
      "SELECT next_attempt_at AS at FROM deliveries INDEXED BY deliveries_pending WHERE status = 'pending' ORDER BY next_attempt_at LIMIT 1",
    );
    return row?.at === null || row?.at === undefined ? null : this.#db.fromStored(row.at);
  }

  recordAttempt(deliverySeq: number, attempt: AttemptRecord, settlement: Settlement): void {
    this.#db.run(
      "INSERT INTO attempts (delivery_seq, number, started_at, duration_ms, request_headers, request_body, response_status, response_headers, response_body, response_truncated, error) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      deliverySeq,
      attempt.number,
      this.#db.toStored(attempt.started_at),
      attempt.duration_ms,
      JSON.stringify(attempt.request_headers),
      attempt.request_body,
      attempt.response_status,
      JSON.stringify(attempt.response_headers),
      attempt.response_body,
      Number(attempt.response_truncated),
      attempt.error,
    );
    this.#db.run(
      "UPDATE deliveries SET status = ?, attempts_made = ?, next_attempt_at = ?, last_status = ?, last_error = ?, settled_at = ? WHERE seq = ?",
      settlement.status,
      attempt.number,
      this.#db.toStored(settlement.next_attempt_at),
      attempt.response_status,
      attempt.error,
      this.#db.toStored(settlement.settled_at),
      deliverySeq,
    );
  }

  attempts(deliverySeq: number): AttemptRecord[] {
    type Stored = Omit<AttemptRecord, "request_headers" | "response_headers" | "response_truncated"> & {
      request_headers: string;
      response_headers: string;
      response_truncated: number;
    };
    return this.#db
      .all<Stored>(
        "SELECT number, started_at, duration_ms, request_headers, request_body, response_status, response_headers, response_body, response_truncated, error FROM attempts WHERE delivery_seq = ? ORDER BY number",
        deliverySeq,
      )
      .map((row) => ({
        ...row,
        started_at: this.#db.fromStored(row.started_at),
        request_headers: JSON.parse(row.request_headers) as [string, string][],
        response_headers: JSON.parse(row.response_headers) as [string, string][],
        response_truncated: Boolean(row.response_truncated),
      }));
  }
}
