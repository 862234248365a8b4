import type { deliveriesList } from "../contract/control/operations.ts";
import { type DeliveryStatus, deliveryStatuses, type TraceAttempt } from "../contract/control/rows.ts";
import type { AttemptCause } from "../contract/control/words.ts";
import type { EventType } from "../contract/event-types.ts";
import { listenerAddress } from "../contract/listener.ts";
import type { RequestOf } from "../contract/operation.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import type { EndedDelivery } from "../rules/webhooks/subscription-health.ts";
import { findAttemptCause } from "../rules/worlds/activity.ts";
import type { Database } from "./database.ts";
import {
  type AttemptRecord,
  DELIVERY_SELECT,
  type DeliveryRecord,
  deliveryRecord,
  type EventRecord,
  type NewDelivery,
  type Outcome,
  type StoredDelivery,
  unattemptedFields,
} from "./delivery-records.ts";
import { realTime } from "./real-time.ts";
import type { SubscriptionRecord } from "./subscriptions-store.ts";

type RequestedFilter = Omit<RequestOf<typeof deliveriesList>, "world" | "cursor" | "limit" | `attempt${string}`>;
/** Filter of deliveries; absent fields match all. */
export type DeliveryFilter = { readonly [Name in keyof RequestedFilter]?: RequestedFilter[Name] | undefined } & {
  readonly failed?: FailedAttempts | undefined;
};

interface FailedAttempts {
  readonly cause: AttemptCause;
  /** Null matches every status. */
  readonly status: number | null;
  /** Milliseconds since 1970. */
  readonly from: number;
}
/** Limits of that search: newest attempts scanned, and deliveries returned. */
const MAX_ATTEMPTS_SCANNED = 20_000;
const MAX_FAILED = 1_000;

/** Delivery counts of a subscription by status. Includes ended subscriptions. */
interface DeliveryCounts extends Readonly<Record<DeliveryStatus, number>> {
  readonly id: string;
}

interface StoredAttempt extends Pick<AttemptRecord, "number" | "duration_ms" | "response_status" | "error"> {
  readonly started_at: number;
  readonly request_body: Buffer;
  readonly response_body: Buffer;
  readonly request_headers: string;
  readonly response_headers: string;
  readonly response_truncated: number;
  readonly certificate: string | null;
}

const NEVER_ATTEMPTED = "subscription_seq = ? AND status = 'pending' AND attempts_made = 0";
const TO_RETRY = "subscription_seq = ? AND status = 'pending' AND attempts_made > 0";
/** Subscriptions of a filter; null parameters match all. */
const SUBSCRIPTIONS = "FROM subscriptions s WHERE coalesce(s.integration_id = ?, 1) AND coalesce(s.id = ?, 1)";
/** Newest deliveries of each subscription and status, from the ends of index ranges. */
const NEWEST = `d.seq IN (SELECT p.seq FROM (SELECT s.seq ${SUBSCRIPTIONS}) s CROSS JOIN json_each(?) st CROSS JOIN deliveries p
  ON p.seq IN (SELECT seq FROM deliveries WHERE subscription_seq = s.seq AND status = st.value AND seq < ? ORDER BY seq DESC LIMIT ?))`;

/**
 * Newest deliveries of each final status, from the ends of index ranges. The error is read only where there was no
 * response.
 */
const newestWithStatus = (status: string) =>
  `SELECT * FROM (SELECT seq FROM deliveries WHERE subscription_seq = ? AND status = '${status}' ORDER BY seq DESC LIMIT ?)`;
const LAST_ENDED = `SELECT d.id, d.status = 'delivered' AS delivered, d.attempts_made, d.ended_at - a.started_at AS took_ms,
    a.response_status AS first_status, CASE WHEN a.response_status IS NULL THEN a.error END AS first_error
  FROM (${newestWithStatus("delivered")} UNION ALL ${newestWithStatus("failed")}) p
    CROSS JOIN deliveries d ON d.seq = p.seq CROSS JOIN attempts a ON a.delivery_seq = d.seq AND a.number = 1
  ORDER BY d.seq DESC LIMIT ?`;

interface EndedBefore {
  readonly attempts: number;
  readonly unanswered: number;
}
/** Attempts scanned backwards, because all subscriptions share the table. */
const MAX_LOOK_BACK = 500;
const ENDED_BEFORE = `SELECT count(*) AS attempts, coalesce(sum(a.response_status IS NULL), 0) AS unanswered
  FROM (SELECT delivery_seq, started_at, duration_ms, response_status FROM attempts
      WHERE seq < (SELECT seq FROM attempts WHERE delivery_seq = ? AND number = ?) ORDER BY seq DESC LIMIT ?) a
    CROSS JOIN deliveries d ON d.seq = a.delivery_seq
  WHERE a.started_at + a.duration_ms > ? AND d.seq <> ?
    AND d.subscription_seq = (SELECT subscription_seq FROM deliveries WHERE seq = ?)`;

const INSERT_DELIVERY =
  "INSERT INTO deliveries (seq, id, event_seq, message_id, subscription_seq, status, attempts_made, created_at, next_attempt_at, repeats_id) " +
  "VALUES (?, ?, ?, ?, (SELECT seq FROM subscriptions WHERE id = ?), 'pending', 0, ?, ?, ?)";

// A test event has no originating call, so it begins a trace of its own and belongs to no other subscription.
const MISSED = `SELECT e.seq AS event_seq, (SELECT d.message_id FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq
    WHERE d.event_seq = e.seq AND s.integration_id = ? LIMIT 1) AS message_id
  FROM events e WHERE e.event_timestamp >= ? AND e.organization_id = ? AND e.event_type IN (SELECT value FROM json_each(?))
    AND e.id <> e.trace_id AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_seq = e.seq AND d.subscription_seq = ?)
  ORDER BY e.seq DESC LIMIT ?`;

const RECORD_ATTEMPT =
  "UPDATE deliveries SET status = ?, attempts_made = ?, last_status = ?, last_error = ?, next_attempt_at = ?, ended_at = ? " +
  "WHERE seq = ? AND id = ? AND status = 'pending'";

interface AttemptEnd extends Pick<AttemptRecord, "number" | "response_status" | "error"> {
  readonly delivery_seq: number;
  readonly ended_at: number;
  readonly next_at: number | null;
}
// The planned time of the next attempt is not stored; its actual start takes its place.
const ATTEMPT_END = `SELECT a.delivery_seq, a.number, CAST(a.started_at + a.duration_ms AS INTEGER) AS ended_at, a.response_status, a.error,
    (SELECT n.started_at FROM attempts n WHERE n.delivery_seq = a.delivery_seq AND n.number > a.number ORDER BY n.number LIMIT 1) AS next_at
  FROM attempts a WHERE a.seq = ?`;

/** SQL pattern of developer machines' addresses. */
const LISTENERS = listenerAddress("%");

/** Events, their deliveries, and every attempt. */
export class OutboxStore {
  readonly #db: Database;
  /** Subscriptions with new deliveries since the last clear. */
  #touched = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @param deliveries number of deliveries that will be queued
   * @param at real time, milliseconds since 1970
   * @returns the event's `seq`
   */
  insertEvent(event: EventRecord, deliveries = 0, at = realTime()): number {
    return this.#db.insert("events", {
      ...event,
      seq: this.#db.nextSeq(),
      at: this.#db.toStored(at),
      event_timestamp: this.#db.toStored(event.event_timestamp),
      payload: JSON.stringify(event.payload),
      deliveries,
    });
  }

  event(seq: number): Pick<EventRecord, "organization_id" | "event_type"> | undefined {
    return this.#db.get("SELECT organization_id, event_type FROM events WHERE seq = ?", seq);
  }

  countDeliveries(eventSeq: number, more: number): void {
    this.#db.run("UPDATE events SET deliveries = deliveries + ? WHERE seq = ?", more, eventSeq);
  }

  /** Queues a delivery of an event. @returns its `seq`, which is never reused */
  insertDelivery({ id, event_seq, message_id, subscription_id, created_at, repeats_id }: NewDelivery): number {
    const seq = this.#db.nextSeq();
    const at = this.#db.toStored(created_at);
    this.#db.run(INSERT_DELIVERY, seq, id, event_seq, message_id, subscription_id, at, at, repeats_id);
    this.#touched.add(subscription_id);
    return seq;
  }

  /** Queues a delivery again. @returns the new one */
  insertRepeat(original: DeliveryRecord, id: string, created_at: number): DeliveryRecord {
    this.countDeliveries(original.event_seq, 1);
    const repeat = { ...original, id, created_at, repeats_id: original.id };
    return { ...repeat, ...unattemptedFields(this.insertDelivery(repeat), created_at) };
  }

  /**
   * Queues a subscription's missed events, the newest `limit` of them, in event order. Each keeps the `message_id` that
   * the integration already knows (D71).
   *
   * @param since by the world's clock, milliseconds since 1970
   * @returns the `seq` of each delivery
   */
  insertMissed(
    { seq, id: subscription_id, integration_id }: Pick<SubscriptionRecord, "seq" | "id" | "integration_id">,
    organizationId: string,
    types: readonly EventType[],
    since: number,
    limit: number,
    newId: () => string,
  ): number[] {
    const parameters = [integration_id, this.#db.toStored(since), organizationId, JSON.stringify(types), seq, limit];
    const missed = this.#db.all<{ event_seq: number; message_id: string | null }>(MISSED, ...parameters);
    return missed.reverse().map(({ event_seq, message_id }) => {
      this.countDeliveries(event_seq, 1);
      const delivery = { id: newId(), event_seq, message_id: message_id ?? newId(), subscription_id, repeats_id: null };
      return this.insertDelivery({ ...delivery, created_at: realTime() });
    });
  }

  /** Subscriptions with new deliveries since the last clear. Some of them may have been rolled back. */
  clearTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  #rows(where: string, ...values: readonly unknown[]): DeliveryRecord[] {
    return this.#db
      .all<StoredDelivery>(`${DELIVERY_SELECT} WHERE ${where}`, ...values)
      .map((row) => deliveryRecord(this.#db, row));
  }

  delivery(id: string): DeliveryRecord | undefined {
    return this.#rows("d.id = ?", id)[0];
  }

  listByTrace(traceId: string): DeliveryRecord[] {
    return this.#rows("e.trace_id = ? ORDER BY d.seq", traceId);
  }

  /** Attempts of a trace's deliveries, in the order they began. */
  attemptsOfTrace(traceId: string, limit: number): TraceAttempt[] {
    return this.#db
      .all<Omit<TraceAttempt, "started_at"> & { readonly started_at: number }>(
        "SELECT d.id AS delivery_id, a.number, a.started_at, a.duration_ms, a.response_status, a.error " +
          "FROM events e JOIN deliveries d ON d.event_seq = e.seq JOIN attempts a ON a.delivery_seq = d.seq " +
          "WHERE e.trace_id = ? ORDER BY a.started_at, a.delivery_seq, a.number LIMIT ?",
        traceId,
        limit,
      )
      .map((attempt) => ({ ...attempt, started_at: iso(this.#db.fromStored(attempt.started_at)) }));
  }

  at(seq: number): DeliveryRecord | undefined {
    return this.#rows("d.seq = ?", seq)[0];
  }

  /** Newest deliveries whose ID or `message_id` is in a range, up to `limit` for each column. */
  idsBetween(from: string, below: string, limit: number): string[] {
    return ["id", "message_id"].flatMap((column) => {
      const sql = `SELECT id FROM deliveries WHERE ${column} >= ? AND ${column} < ? ORDER BY ${column} DESC LIMIT ?`;
      return this.#db.all<{ id: string }>(sql, from, below, limit).map(({ id }) => id);
    });
  }

  /**
   * `seq` of a subscription's due deliveries, in event order (D73): new ones, and those overdue the longest. Each group
   * has its own limit, so failing deliveries don't delay new ones.
   */
  due(subscription: number, now: number, limit: number): number[] {
    const fresh = `SELECT seq FROM deliveries WHERE ${NEVER_ATTEMPTED} ORDER BY seq LIMIT ?`;
    const again = `SELECT seq FROM deliveries WHERE ${TO_RETRY} AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?`;
    return [
      ...this.#db.all<{ seq: number }>(fresh, subscription, limit),
      ...this.#db.all<{ seq: number }>(again, subscription, this.#db.toStored(now), limit),
    ]
      .map(({ seq }) => seq)
      .sort((one, other) => one - other);
  }

  /** Makes waiting retries due immediately. */
  retryAtOnce(subscription: number, now: number): void {
    const sql = `UPDATE deliveries SET next_attempt_at = ? WHERE ${TO_RETRY} AND next_attempt_at > ?`;
    const at = this.#db.toStored(now);
    this.#db.run(sql, at, subscription, at);
  }

  #time(sql: string, ...values: readonly unknown[]): number | null {
    const found = this.#db.get<{ at: number }>(sql, ...values);
    return found ? this.#db.fromStored(found.at) : null;
  }

  /** Time of a subscription's next retry after a moment; null if none waits. */
  nextRetryAt(subscription: number, after = 0): number | null {
    const sql = `SELECT next_attempt_at AS at FROM deliveries WHERE ${TO_RETRY} AND next_attempt_at > ? ORDER BY next_attempt_at LIMIT 1`;
    return this.#time(sql, subscription, this.#db.toStored(after));
  }

  /** Time of a subscription's next delivery, new or retried; null if none waits. */
  dueAt(subscription: number): number | null {
    const sql = `SELECT next_attempt_at AS at FROM deliveries WHERE ${NEVER_ATTEMPTED} ORDER BY seq LIMIT 1`;
    return this.#time(sql, subscription) ?? this.nextRetryAt(subscription);
  }

  /**
   * Time of the next delivery that can be sent; null if none waits. Skips ended and paused subscriptions, and developer
   * machines, whose deliveries wait for a connection.
   */
  nextDueAt(): number | null {
    const open = this.#db.all<{ seq: number }>(
      `SELECT seq FROM subscriptions WHERE pending > 0 AND paused_at IS NULL AND ended_at IS NULL AND url NOT LIKE '${LISTENERS}'`,
    );
    const due = open.flatMap(({ seq }) => this.dueAt(seq) ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  /**
   * Stores an attempt and its outcome. Call inside a write.
   *
   * @returns the updated delivery, or null if its subscription has ended
   */
  recordAttempt(delivery: DeliveryRecord, attempt: AttemptRecord, outcome: Outcome): DeliveryRecord | null {
    const { seq, id } = delivery;
    const { status, next_attempt_at, ended_at } = outcome;
    const { number: attempts_made, response_status: last_status, error: last_error } = attempt;
    const [nextAt, endedAt] = [this.#db.toStored(next_attempt_at), this.#db.toStored(ended_at)];
    const after = [status, attempts_made, last_status, last_error, nextAt, endedAt];
    if (this.#db.run(RECORD_ATTEMPT, ...after, seq, id).changes === 0) return null;
    const { request_body_base64, response_body_base64, ...rest } = attempt;
    this.#db.insert("attempts", {
      seq: this.#db.nextSeq(),
      ...rest,
      delivery_seq: seq,
      started_at: this.#db.toStored(Date.parse(attempt.started_at)),
      request_body: Buffer.from(request_body_base64, "base64"),
      response_body: Buffer.from(response_body_base64, "base64"),
      request_headers: JSON.stringify(attempt.request_headers),
      response_headers: JSON.stringify(attempt.response_headers),
    });
    const times = { next_attempt_at: isoOrNull(next_attempt_at), ended_at: isoOrNull(ended_at) };
    return { ...delivery, status, attempts_made, last_status, last_error, ...times };
  }

  /** State of a delivery when it was queued. */
  findQueued(seq: number): DeliveryRecord | undefined {
    const now = this.at(seq);
    // A restore may end a delivery without any attempt.
    if (!now || now.attempts_made === 0) return now;
    return { ...now, ...unattemptedFields(seq, Date.parse(now.created_at)) };
  }

  /** State of a delivery after one attempt, by that attempt's `seq`, and its end (real time). */
  findAttempted(seq: number): { readonly at: number; readonly delivery: DeliveryRecord } | undefined {
    const attempt = this.#db.get<AttemptEnd>(ATTEMPT_END, seq);
    const now = attempt && this.at(attempt.delivery_seq);
    if (!now) return undefined;
    const { number, response_status, error, next_at } = attempt;
    const at = this.#db.fromStored(attempt.ended_at);
    if (number === now.attempts_made) return { at, delivery: now };
    const next_attempt_at = isoOrNull(this.#db.fromStored(next_at));
    const then = { attempts_made: number, last_status: response_status, last_error: error, next_attempt_at };
    return { at, delivery: { ...now, ...then, status: "pending", ended_at: null } };
  }

  /** Ascending by number. */
  attempts(delivery: number): AttemptRecord[] {
    return this.#db
      .all<StoredAttempt>("SELECT * FROM attempts WHERE delivery_seq = ? ORDER BY number", delivery)
      .map(({ number, duration_ms, response_status, error, ...row }) => ({
        ...{ number, duration_ms, response_status, error },
        started_at: iso(this.#db.fromStored(row.started_at)),
        request_headers: JSON.parse(row.request_headers) as [string, string][],
        request_body_base64: row.request_body.toString("base64"),
        response_headers: JSON.parse(row.response_headers) as [string, string][],
        response_body_base64: row.response_body.toString("base64"),
        response_truncated: Boolean(row.response_truncated),
        ...(row.certificate === null ? {} : { certificate: row.certificate }),
      }));
  }

  /**
   * Counts attempts of the subscription's other deliveries that ended while an attempt waited, and how many of them got
   * no response. Scans only the newest attempts before it.
   *
   * @param since start of the wait: real time, milliseconds since 1970
   */
  countEndedBefore({ seq }: Pick<DeliveryRecord, "seq">, number: number, since: number): EndedBefore {
    const parameters = [seq, number, MAX_LOOK_BACK, this.#db.toStored(since), seq, seq];
    return this.#db.get<EndedBefore>(ENDED_BEFORE, ...parameters) ?? { attempts: 0, unanswered: 0 };
  }

  /** Deliveries that ended after an attempt, newest first. */
  listLastEnded(subscription: number, limit: number): EndedDelivery[] {
    return this.#db
      .all<Omit<EndedDelivery, "delivered"> & { readonly delivered: number }>(
        LAST_ENDED,
        ...[subscription, limit, subscription, limit, limit],
      )
      .map(({ delivered, ...row }) => ({ ...row, delivered: delivered === 1 }));
  }

  /** Delivery counts of a filter's subscriptions, including ended ones, in the order they subscribed. */
  countBySubscription({ integration_id, subscription_id }: DeliveryFilter = {}): DeliveryCounts[] {
    const sql = `SELECT s.id, s.pending, s.delivered, s.failed ${SUBSCRIPTIONS} ORDER BY s.seq`;
    return this.#db.all<DeliveryCounts>(sql, integration_id ?? null, subscription_id ?? null);
  }

  /** First or last acknowledged delivery, in the order of creation. */
  findDelivered(place: "first" | "last"): DeliveryRecord | undefined {
    const end = place === "first" ? "min" : "max";
    const ofEach = `SELECT ${end}(seq) FROM deliveries WHERE subscription_seq = s.seq AND status = 'delivered'`;
    return this.#rows(`d.seq = (SELECT ${end}((${ofEach})) FROM subscriptions s WHERE s.delivered > 0)`)[0];
  }

  /** Deliveries of a filter before a `seq`, newest first, and the total regardless of `before`. */
  list(
    filter: DeliveryFilter,
    before: number,
    limit: number,
  ): { readonly rows: DeliveryRecord[]; readonly total: number } {
    const { ids, message_id, job_id, status, integration_id = null, subscription_id = null } = filter;
    if (ids ?? message_id ?? job_id ?? filter.failed) {
      const all = this.#few(filter);
      return { rows: all.filter(({ seq }) => seq < before).slice(0, limit), total: all.length };
    }
    const statuses = status ? [status] : deliveryStatuses;
    const counts = this.countBySubscription(filter).flatMap((counted) => statuses.map((one) => counted[one]));
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (!(status ?? integration_id ?? subscription_id))
      return { rows: this.#rows("d.seq < ? ORDER BY d.seq DESC LIMIT ?", before, limit), total };
    const parameters = [integration_id, subscription_id, JSON.stringify(statuses), before, limit];
    return { rows: this.#rows(`${NEWEST} ORDER BY d.seq DESC LIMIT ?`, ...parameters, limit), total };
  }

  /** Deliveries of the newest attempts that failed with a cause. */
  #withFailed({ cause, status, from }: FailedAttempts): number[] {
    type Failed = Pick<AttemptRecord, "duration_ms" | "response_status"> & {
      readonly response_body: Uint8Array;
      readonly delivery_seq: number;
      readonly started_at: number;
    };
    const newest = this.#db
      .sql(
        `SELECT delivery_seq, started_at, duration_ms, response_status, response_body FROM attempts
         WHERE seq > (SELECT max(seq) FROM attempts) - ${MAX_ATTEMPTS_SCANNED}
           AND (response_status IS NOT 200 OR error IS NOT NULL) AND (? IS NULL OR response_status = ?)
         ORDER BY seq DESC`,
      )
      .iterate(status, status) as Iterable<Failed>;
    const found = new Set<number>();
    for (const { delivery_seq, started_at, response_body, ...response } of newest) {
      if (this.#db.fromStored(started_at) < from || found.size === MAX_FAILED) break;
      const response_body_base64 = Buffer.from(response_body).toString("base64");
      if (findAttemptCause({ ...response, response_body_base64 }) === cause) found.add(delivery_seq);
    }
    return [...found];
  }

  /** Deliveries of a selective filter, newest first. */
  #few(filter: DeliveryFilter): DeliveryRecord[] {
    const { ids, message_id, job_id, status, integration_id, subscription_id, failed } = filter;
    const conditions: readonly (readonly [string, unknown])[] = [
      ["d.id IN (SELECT value FROM json_each(?))", ids && JSON.stringify(ids)],
      ["d.seq IN (SELECT value FROM json_each(?))", failed && JSON.stringify(this.#withFailed(failed))],
      ["d.message_id = ?", message_id],
      ["d.event_seq IN (SELECT seq FROM events INDEXED BY events_by_job WHERE job_id = ?)", job_id],
      ["d.status = ?", status],
      ["s.integration_id = ?", integration_id],
      ["s.id = ?", subscription_id],
    ];
    const given = conditions.filter(([, value]) => value !== undefined);
    const where = given.map(([condition]) => condition).join(" AND ");
    const found = this.#rows(where, ...given.map(([, value]) => value));
    return found.sort((one, other) => other.seq - one.seq);
  }
}
