import type { DeliveryStatus } from "../contract/control/rows.ts";
import { lostTries, MOST_LOST } from "../rules/lost-tries.ts";
import type { Database } from "./database.ts";
import { attemptsOf, insertAttempt } from "./delivery-attempts.ts";
import {
  type AttemptRecord,
  DELIVERY_SELECT,
  type DeliveryRecord,
  deliveryRecord,
  type EventRecord,
  type NewDelivery,
  type Settlement,
  type StoredDelivery,
  states,
  statesOf,
  TRIES,
} from "./delivery-records.ts";
import { reopenEnded, SUBSCRIPTION_ENDED, settledAfterEnd } from "./ended-deliveries.ts";

/** Which deliveries a list is made of; what is left out does not matter. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly integration_id?: string | undefined;
  readonly subscription_id?: string | undefined;
}

interface LaneCounts extends Readonly<Record<DeliveryStatus, number>> {
  readonly seq: number;
}

/** Events, the deliveries they became, and every try. */
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
   * @returns the event's place in the world's order
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

  /** Queues a delivery of an event. @returns its place in the world's order, which is never given twice */
  insertDelivery(delivery: NewDelivery): number {
    this.#last ??= this.#db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM deliveries")?.seq ?? 0;
    this.#last += 1;
    const at = this.#db.toStored(delivery.created_at);
    this.#db.run(
      "INSERT INTO deliveries (seq, id, event_seq, message_id, lane, state, attempts_made, created_at, next_attempt_at, repeats_id) " +
        "VALUES (?, ?, ?, ?, (SELECT seq FROM lanes WHERE subscription_id = ?), 0, 0, ?, ?, ?)",
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
    const delivery: NewDelivery = {
      id,
      event_seq: original.event_seq,
      message_id: original.message_id,
      integration_id: original.integration_id,
      subscription_id: original.subscription_id,
      url: original.url,
      created_at,
      repeats_id: original.id,
    };
    const seq = this.insertDelivery(delivery);
    this.#db.run("UPDATE events SET deliveries = deliveries + 1 WHERE seq = ?", original.event_seq);
    const untried = {
      status: "pending",
      attempts_made: 0,
      lost_tries: 0,
      last_status: null,
      last_error: null,
    } as const;
    return { ...original, ...delivery, ...untried, seq, next_attempt_at: created_at, settled_at: null };
  }

  /** Subscriptions that were given something to deliver since this was last asked. Some of it may have been undone. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  delivery(id: string): DeliveryRecord | undefined {
    const row = this.#db.get<StoredDelivery>(`${DELIVERY_SELECT} WHERE d.id = ?`, id);
    return row && deliveryRecord(this.#db, row);
  }

  #rows(where: string, ...values: readonly unknown[]): DeliveryRecord[] {
    return this.#db
      .all<StoredDelivery>(`${DELIVERY_SELECT} WHERE ${where}`, ...values)
      .map((row) => deliveryRecord(this.#db, row));
  }

  /** What of a lane was never tried, in event order, after a place in the world's order (D73). */
  untried(lane: number, after: number, limit: number): DeliveryRecord[] {
    return this.#rows("d.lane = ? AND d.state = 0 AND d.seq > ? ORDER BY d.seq LIMIT ?", lane, after, limit);
  }

  /** What of a lane is due to be tried again, that of the longest overdue first, in event order. */
  dueAgain(lane: number, now: number, limit: number): DeliveryRecord[] {
    return this.#rows(
      "d.lane = ? AND d.state = 1 AND d.next_attempt_at <= ? ORDER BY d.next_attempt_at LIMIT ?",
      lane,
      this.#db.toStored(now),
      limit,
    )
      .map((row) => ({ ...row, lost_tries: Math.min(MOST_LOST, this.#lostTries(row.seq)) }))
      .sort((one, other) => one.seq - other.seq);
  }

  #lostTries(delivery: number): number {
    const words = Object.values(lostTries);
    const row = this.#db.get<{ n: number }>(
      `SELECT count(*) AS n FROM attempts WHERE place BETWEEN ? AND ? AND error IN (${words.map(() => "?").join(", ")})`,
      delivery * TRIES,
      delivery * TRIES + TRIES - 1,
      ...words,
    );
    return row?.n ?? 0;
  }

  /** Lets what waits for its next try in a lane be tried at once. */
  tryAtOnce(lane: number, now: number): void {
    const at = this.#db.toStored(now);
    const waiting = "lane = ? AND state = 1 AND next_attempt_at > ?";
    this.#db.run(`UPDATE deliveries SET next_attempt_at = ? WHERE ${waiting}`, at, lane, at);
  }

  /** When the next delivery of a lane is to be tried again, after a moment; null when none waits. */
  nextRetryAt(lane: number, after = 0): number | null {
    const row = this.#db.get<{ at: number }>(
      "SELECT next_attempt_at AS at FROM deliveries WHERE lane = ? AND state = 1 AND next_attempt_at > ? ORDER BY next_attempt_at LIMIT 1",
      lane,
      this.#db.toStored(after),
    );
    return row ? this.#db.fromStored(row.at) : null;
  }

  /** When the oldest delivery of a lane that was never tried was queued; null when there is none. */
  untriedSince(lane: number): number | null {
    const row = this.#db.get<{ at: number }>(
      "SELECT next_attempt_at AS at FROM deliveries WHERE lane = ? AND state = 0 ORDER BY seq LIMIT 1",
      lane,
    );
    return row ? this.#db.fromStored(row.at) : null;
  }

  /** When the next delivery is due that may be sent: of a subscription that goes on and is not paused. Null: none waits. */
  nextDueAt(): number | null {
    const open = this.#db.all<{ seq: number }>(
      "SELECT l.seq FROM subscriptions s JOIN lanes l ON l.subscription_id = s.id WHERE l.pending > 0 AND l.paused_at IS NULL",
    );
    const due = open.flatMap(({ seq }) => this.untriedSince(seq) ?? this.nextRetryAt(seq) ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  /**
   * Keeps a try and what came of it. Call inside a write.
   *
   * @returns the delivery as it is now, or null when nothing waits for this try
   */
  settle(delivery: DeliveryRecord, attempt: AttemptRecord, settlement: Settlement): DeliveryRecord | null {
    const settled = this.#settle(delivery, attempt, settlement, attempt.error);
    if (settled || !reopenEnded(this.#db, delivery)) return settled;
    const { error, ...ended } = settledAfterEnd(settlement, attempt);
    return this.#settle(delivery, attempt, ended, error);
  }

  #settle(
    delivery: DeliveryRecord,
    attempt: AttemptRecord,
    settlement: Settlement,
    last_error: string | null,
  ): DeliveryRecord | null {
    const { changes } = this.#db.run(
      "UPDATE deliveries SET state = ?, attempts_made = ?, next_attempt_at = ?, last_status = ?, last_error = ?, settled_at = ? WHERE seq = ? AND id = ? AND state < 2",
      settlement.status === "pending" ? states.tried : states[settlement.status],
      attempt.number,
      this.#db.toStored(settlement.next_attempt_at),
      attempt.response_status,
      last_error,
      this.#db.toStored(settlement.settled_at),
      delivery.seq,
      delivery.id,
    );
    if (changes === 0) return null;
    insertAttempt(this.#db, delivery.seq, attempt);
    return {
      ...delivery,
      ...settlement,
      attempts_made: attempt.number,
      last_status: attempt.response_status,
      last_error,
    };
  }

  /** What was given up with the subscription of a lane at a time, after a place in the world's order. */
  endedWith(lane: number, at: number, after: number, limit: number): DeliveryRecord[] {
    return this.#rows(
      "d.lane = ? AND d.state = 3 AND d.seq > ? AND d.settled_at = ? AND d.last_error = ? ORDER BY d.seq LIMIT ?",
      lane,
      after,
      this.#db.toStored(at),
      SUBSCRIPTION_ENDED,
      limit,
    );
  }

  attempts(deliverySeq: number): AttemptRecord[] {
    return attemptsOf(this.#db, deliverySeq);
  }

  /** The lanes a filter is about, with how many deliveries of each status they have. */
  #lanes({ integration_id, subscription_id }: DeliveryFilter): LaneCounts[] {
    return this.#db
      .all<LaneCounts & { integration_id: string; subscription_id: string }>(
        "SELECT seq, subscription_id, integration_id, pending, delivered, failed FROM lanes",
      )
      .filter((lane) => integration_id === undefined || lane.integration_id === integration_id)
      .filter((lane) => subscription_id === undefined || lane.subscription_id === subscription_id);
  }

  /** How many deliveries a filter lets through: counted as they come and go, never by reading them. */
  count(filter: DeliveryFilter): number {
    const statuses = filter.status ? [filter.status] : (Object.keys(statesOf) as DeliveryStatus[]);
    return this.#lanes(filter).reduce((sum, lane) => sum + statuses.reduce((all, status) => all + lane[status], 0), 0);
  }

  /** The newest deliveries before a place in the world's order, newest first. */
  newest(filter: DeliveryFilter, before: number, limit: number): DeliveryRecord[] {
    if (filter.status === undefined && filter.integration_id === undefined && filter.subscription_id === undefined)
      return this.#rows("d.seq < ? ORDER BY d.seq DESC LIMIT ?", before, limit);
    const places = this.#newestPlaces(filter, before, limit);
    return places.flatMap((seq) => this.#rows("d.seq = ?", seq));
  }

  /** Each lane and state is the end of a range of the index; the newest of all of them together are the page. */
  #newestPlaces(filter: DeliveryFilter, before: number, limit: number): number[] {
    const statuses = filter.status ? [filter.status] : (Object.keys(statesOf) as DeliveryStatus[]);
    let places: number[] = [];
    for (const lane of this.#lanes(filter)) {
      for (const status of statuses.filter((one) => lane[one] > 0)) {
        for (const state of statesOf[status]) {
          const beyond = places.length < limit ? 0 : (places.at(-1) ?? 0);
          const found = this.#db.all<{ seq: number }>(
            "SELECT seq FROM deliveries WHERE lane = ? AND state = ? AND seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?",
            lane.seq,
            state,
            beyond,
            before,
            limit,
          );
          if (found.length === 0) continue;
          places = [...places, ...found.map(({ seq }) => seq)].sort((one, other) => other - one).slice(0, limit);
        }
      }
    }
    return places;
  }
}
