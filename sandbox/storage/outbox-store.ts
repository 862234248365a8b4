import { type DeliveryStatus, deliveryStatuses } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";
import {
  type AttemptRecord,
  DELIVERY_SELECT,
  type DeliveryRecord,
  deliveryRecord,
  type EventRecord,
  type NewDelivery,
  newDeliveryRecord,
  type Outcome,
  type StoredDelivery,
} from "./delivery-records.ts";

/** Which deliveries a list is made of; what is left out does not matter. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly integration_id?: string | undefined;
  readonly subscription_id?: string | undefined;
}

/** A subscription, also one that has ended, with how many deliveries of each status it has. */
export interface Counted extends Readonly<Record<DeliveryStatus, number>> {
  readonly seq: number;
  readonly id: string;
}

type StoredAttempt = Omit<AttemptRecord, "request_headers" | "response_headers" | "response_truncated"> & {
  readonly request_headers: string;
  readonly response_headers: string;
  readonly response_truncated: number;
};

const NEVER_ATTEMPTED = "subscription_seq = ? AND status = 'pending' AND attempts_made = 0";
const TO_RETRY = "subscription_seq = ? AND status = 'pending' AND attempts_made > 0";

/** Events, the deliveries they became, and every attempt. */
export class OutboxStore {
  readonly #db: Database;
  /** Subscriptions that were given something to deliver since somebody asked. */
  #touched = new Set<string>();
  #last: number | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @param deliveries how many deliveries will be queued for it
   * @returns the event's position in the world's order
   */
  insertEvent(event: EventRecord, deliveries = 0): number {
    return this.#db.run(
      "INSERT INTO events (id, event_type, event_timestamp, organization_id, payload, trace_id, job_id, procurement_id, label, announces, deliveries) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
      deliveries,
    ).rowid;
  }

  /** Queues a delivery of an event. @returns its position in the world's order, which is never given twice */
  insertDelivery(delivery: NewDelivery): number {
    this.#last ??= this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM deliveries")?.seq ?? 0;
    this.#last += 1;
    const at = this.#db.toStored(delivery.created_at);
    this.#db.run(
      "INSERT INTO deliveries (seq, id, event_seq, message_id, subscription_seq, status, attempts_made, created_at, next_attempt_at, repeats_id) " +
        "VALUES (?, ?, ?, ?, (SELECT seq FROM subscriptions WHERE id = ?), 'pending', 0, ?, ?, ?)",
      this.#last,
      delivery.id,
      delivery.event_seq,
      delivery.message_id,
      delivery.subscription_id,
      at,
      at,
      delivery.repeats_id,
    );
    this.#touched.add(delivery.subscription_id);
    return this.#last;
  }

  /** Queues a delivery once more. @returns the new one */
  insertRepeat(original: DeliveryRecord, id: string, created_at: number): DeliveryRecord {
    const { event_seq, message_id, integration_id, subscription_id, url } = original;
    const to = { event_seq, message_id, integration_id, subscription_id, url };
    const delivery: NewDelivery = { ...to, id, created_at, repeats_id: original.id };
    const seq = this.insertDelivery(delivery);
    this.#db.run("UPDATE events SET deliveries = deliveries + 1 WHERE seq = ?", event_seq);
    return newDeliveryRecord(seq, delivery, original.event);
  }

  /** Subscriptions that were given something to deliver since this was last asked. Some of it may have been undone. */
  clearTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  delivery(id: string): DeliveryRecord | undefined {
    return this.#rows("d.id = ?", id)[0];
  }

  /** The newest whose identifiers are in a range, at most so many. */
  idsBetween(from: string, below: string, limit: number): string[] {
    return this.#db
      .all<{ id: string }>(
        "SELECT id FROM deliveries WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
        from,
        below,
        limit,
      )
      .map(({ id }) => id);
  }

  /** The same by the identifiers of their notifications. */
  messagesBetween(from: string, below: string, limit: number): { readonly id: string; readonly message_id: string }[] {
    return this.#db.all(
      "SELECT id, message_id FROM deliveries WHERE message_id >= ? AND message_id < ? ORDER BY message_id DESC LIMIT ?",
      from,
      below,
      limit,
    );
  }

  /** Every delivery of a notification, to whom it was sent and sent again. */
  ofMessage(messageId: string): DeliveryRecord[] {
    return this.#rows("d.message_id = ?", messageId);
  }

  /** Every delivery that tells of a job. */
  ofJob(jobId: string): DeliveryRecord[] {
    return this.#rows("d.event_seq IN (SELECT seq FROM events INDEXED BY events_by_job WHERE job_id = ?)", jobId);
  }

  #rows(where: string, ...values: readonly unknown[]): DeliveryRecord[] {
    return this.#db
      .all<StoredDelivery>(`${DELIVERY_SELECT} WHERE ${where}`, ...values)
      .map((row) => deliveryRecord(this.#db, row));
  }

  /** @param seq its position in the world's order */
  at(seq: number): DeliveryRecord | undefined {
    return this.#rows("d.seq = ?", seq)[0];
  }

  /**
   * Positions of what of a subscription is due, in event order (D73): what was never attempted, and what is due again for
   * the longest. Of each so many, so that what keeps failing holds up nothing that is new.
   */
  due(subscription: number, now: number, limit: number): number[] {
    const fresh = this.#db.all<{ seq: number }>(
      `SELECT seq FROM deliveries WHERE ${NEVER_ATTEMPTED} ORDER BY seq LIMIT ?`,
      subscription,
      limit,
    );
    const again = this.#db.all<{ seq: number }>(
      `SELECT seq FROM deliveries WHERE ${TO_RETRY} AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?`,
      subscription,
      this.#db.toStored(now),
      limit,
    );
    return [...fresh, ...again].map(({ seq }) => seq).sort((one, other) => one - other);
  }

  /** Lets what waits for its next attempt be attempted at once. */
  retryAtOnce(subscription: number, now: number): void {
    const at = this.#db.toStored(now);
    this.#db.run(
      `UPDATE deliveries SET next_attempt_at = ? WHERE ${TO_RETRY} AND next_attempt_at > ?`,
      at,
      subscription,
      at,
    );
  }

  /** When the next delivery of a subscription is to be attempted again, after a moment; null when none waits. */
  nextRetryAt(subscription: number, after = 0): number | null {
    const row = this.#db.get<{ at: number }>(
      `SELECT next_attempt_at AS at FROM deliveries WHERE ${TO_RETRY} AND next_attempt_at > ? ORDER BY next_attempt_at LIMIT 1`,
      subscription,
      this.#db.toStored(after),
    );
    return row ? this.#db.fromStored(row.at) : null;
  }

  /** When something of a subscription is due, now or later; null when nothing waits. */
  dueAt(subscription: number): number | null {
    const row = this.#db.get<{ at: number }>(
      `SELECT next_attempt_at AS at FROM deliveries WHERE ${NEVER_ATTEMPTED} ORDER BY seq LIMIT 1`,
      subscription,
    );
    return row ? this.#db.fromStored(row.at) : this.nextRetryAt(subscription);
  }

  /** When the next delivery is due that may be sent: of a subscription that goes on and is not paused. Null: none waits. */
  nextDueAt(): number | null {
    const open = this.#db.all<{ seq: number }>(
      "SELECT seq FROM subscriptions WHERE pending > 0 AND paused_at IS NULL AND ended_at IS NULL",
    );
    const due = open.flatMap(({ seq }) => this.dueAt(seq) ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  /**
   * Keeps an attempt and what came of it. Call inside a write.
   *
   * @returns the delivery as it is now, or null when it no longer waits: its subscription has ended
   */
  recordAttempt(delivery: DeliveryRecord, attempt: AttemptRecord, outcome: Outcome): DeliveryRecord | null {
    const { changes } = this.#db.run(
      "UPDATE deliveries SET status = ?, attempts_made = ?, next_attempt_at = ?, last_status = ?, last_error = ?, ended_at = ? WHERE seq = ? AND id = ? AND status = 'pending'",
      outcome.status,
      attempt.number,
      this.#db.toStored(outcome.next_attempt_at),
      attempt.response_status,
      attempt.error,
      this.#db.toStored(outcome.ended_at),
      delivery.seq,
      delivery.id,
    );
    if (changes === 0) return null;
    this.#db.run(
      "INSERT INTO attempts (delivery_seq, number, started_at, duration_ms, request_headers, request_body, response_status, response_headers, response_body, response_truncated, error) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      delivery.seq,
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
    return {
      ...delivery,
      ...outcome,
      attempts_made: attempt.number,
      last_status: attempt.response_status,
      last_error: attempt.error,
    };
  }

  /** Every attempt of a delivery, in their order. */
  attempts(delivery: number): AttemptRecord[] {
    return this.#db
      .all<StoredAttempt>(
        "SELECT number, started_at, duration_ms, request_headers, request_body, response_status, response_headers, response_body, response_truncated, error " +
          "FROM attempts WHERE delivery_seq = ? ORDER BY number",
        delivery,
      )
      .map((row) => ({
        ...row,
        started_at: this.#db.fromStored(row.started_at),
        request_headers: JSON.parse(row.request_headers) as [string, string][],
        response_headers: JSON.parse(row.response_headers) as [string, string][],
        response_truncated: Boolean(row.response_truncated),
      }));
  }

  /** What of a subscription failed at a moment, after a position in the world's order. */
  failedAt(subscription: number, at: number, after: number, limit: number): DeliveryRecord[] {
    return this.#rows(
      "d.subscription_seq = ? AND d.status = 'failed' AND d.seq > ? AND d.ended_at = ? ORDER BY d.seq LIMIT ?",
      subscription,
      after,
      this.#db.toStored(at),
      limit,
    );
  }

  /** The subscriptions a filter is about, in the order they subscribed. */
  counted({ integration_id, subscription_id }: DeliveryFilter): Counted[] {
    return this.#db.all<Counted>(
      "SELECT seq, id, pending, delivered, failed FROM subscriptions WHERE coalesce(integration_id = ?, 1) AND coalesce(id = ?, 1) ORDER BY seq",
      integration_id ?? null,
      subscription_id ?? null,
    );
  }

  /** How many deliveries a filter lets through: counted as they come and go, never by reading them. */
  count(filter: DeliveryFilter): number {
    const statuses = filter.status ? [filter.status] : deliveryStatuses;
    const counts = this.counted(filter).flatMap((counted) => statuses.map((status) => counted[status]));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * The first delivery that was acknowledged, or the last one, as they were made; undefined when none was.
   *
   * @param subscriptions all there are
   */
  delivered(which: "first" | "last", subscriptions: readonly Counted[]): DeliveryRecord | undefined {
    const seqs = subscriptions.flatMap(({ seq, delivered }) =>
      delivered === 0
        ? []
        : (this.#db.get<{ seq: number }>(
            `SELECT ${which === "first" ? "min" : "max"}(seq) AS seq FROM deliveries WHERE subscription_seq = ? AND status = 'delivered'`,
            seq,
          )?.seq ?? []),
    );
    if (seqs.length === 0) return undefined;
    return this.#rows("d.seq = ?", which === "first" ? Math.min(...seqs) : Math.max(...seqs))[0];
  }

  /** The newest deliveries before a position in the world's order, newest first. */
  newest(filter: DeliveryFilter, before: number, limit: number): DeliveryRecord[] {
    if (filter.status === undefined && filter.integration_id === undefined && filter.subscription_id === undefined)
      return this.#rows("d.seq < ? ORDER BY d.seq DESC LIMIT ?", before, limit);
    return this.#newestSeqs(filter, before, limit).flatMap((seq) => this.#rows("d.seq = ?", seq));
  }

  /** Each subscription and status is the end of a range of the index; the newest of all of them together are the page. */
  #newestSeqs(filter: DeliveryFilter, before: number, limit: number): number[] {
    let page: number[] = [];
    for (const counted of this.counted(filter)) {
      for (const status of filter.status ? [filter.status] : deliveryStatuses) {
        if (counted[status] === 0) continue;
        const found = this.#db.all<{ seq: number }>(
          "SELECT seq FROM deliveries WHERE subscription_seq = ? AND status = ? AND seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?",
          counted.seq,
          status,
          page.length < limit ? 0 : (page.at(-1) ?? 0),
          before,
          limit,
        );
        if (found.length === 0) continue;
        page = [...page, ...found.map(({ seq }) => seq)].sort((one, other) => other - one).slice(0, limit);
      }
    }
    return page;
  }
}
