import type { Database } from "./database.ts";
import { type AttemptRecord, type DeliveryRecord, type Settlement, states } from "./delivery-records.ts";

/** Why a delivery was given up that had been tried: nobody receives it any more. */
export const SUBSCRIPTION_ENDED = "the subscription ended before a try was acknowledged";

/**
 * Ends what waits in a lane whose subscription ends: what was tried is given up and kept with its tries; what never was
 * goes, as nothing of it happened. Call inside a write.
 *
 * @param at real time, milliseconds since 1970
 */
export const endWaiting = (db: Database, lane: number, at: number): void => {
  db.run("DELETE FROM deliveries WHERE lane = ? AND state = ?", lane, states.untried);
  db.run(
    "UPDATE deliveries SET state = ?, next_attempt_at = NULL, settled_at = ?, last_error = ? WHERE lane = ? AND state = ?",
    states.failed,
    db.toStored(at),
    SUBSCRIPTION_ENDED,
    lane,
    states.tried,
  );
};

/** Given up with its subscription: it waits again. What counts them knows only the way there. */
const resume = (db: Database, { seq, id }: DeliveryRecord): boolean => {
  const { changes } = db.run(
    "UPDATE deliveries SET state = ? WHERE seq = ? AND id = ? AND state = ? AND last_error = ?",
    states.tried,
    seq,
    id,
    states.failed,
    SUBSCRIPTION_ENDED,
  );
  if (changes === 0) return false;
  db.run(
    "UPDATE lanes SET failed = failed - 1, pending = pending + 1 WHERE seq = (SELECT lane FROM deliveries WHERE seq = ?)",
    seq,
  );
  return true;
};

/** Gone with its subscription before its first try was recorded: it is there again, where event and lane still are. */
const bringBack = (db: Database, delivery: DeliveryRecord): boolean => {
  const { changes } = db.run(
    "INSERT OR IGNORE INTO deliveries (seq, id, event_seq, message_id, lane, state, attempts_made, created_at, repeats_id) " +
      "SELECT ?, ?, e.seq, ?, l.seq, ?, 0, ?, ? FROM events e JOIN lanes l ON l.subscription_id = ? " +
      "WHERE e.seq = ? AND e.id = ? AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = l.subscription_id)",
    delivery.seq,
    delivery.id,
    delivery.message_id,
    states.untried,
    db.toStored(delivery.created_at),
    delivery.repeats_id,
    delivery.subscription_id,
    delivery.event_seq,
    delivery.event.id,
  );
  if (changes === 0) return false;
  db.run("UPDATE events SET deliveries = deliveries + 1 WHERE seq = ?", delivery.event_seq);
  return true;
};

/**
 * Lets a delivery that ended with its subscription wait once more, for a try that had begun before. Call inside a write
 * that settles it.
 *
 * @returns false when it is settled otherwise, or nothing is left that it belongs to
 */
export const reopenEnded = (db: Database, delivery: DeliveryRecord): boolean =>
  resume(db, delivery) || bringBack(db, delivery);

/** What such a try comes to: nothing is tried again. */
export const settledAfterEnd = (
  settlement: Settlement,
  attempt: AttemptRecord,
): Settlement & { error: string | null } =>
  settlement.status === "pending"
    ? {
        status: "failed",
        next_attempt_at: null,
        settled_at: Math.round(attempt.started_at + attempt.duration_ms),
        error: SUBSCRIPTION_ENDED,
      }
    : { ...settlement, error: attempt.error };
