import type { EventRow } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";

/** An event that was told of, as the log keeps it: what never changes of it is in its own row, and kept once. */
interface KeptEvent {
  /** Its place in the world's order, which is never given again. */
  readonly seq: number;
  readonly deliveries: number;
}

type Stored = Omit<EventRow, "event_timestamp" | "payload" | "deliveries"> & {
  readonly event_timestamp: number;
  readonly payload: string;
};

/** @param seq the event's place in the world's order */
export const keptEvent = (seq: number, { deliveries }: EventRow): KeptEvent => ({ seq, deliveries });

/** The event as it was told of; null once it is no longer kept. Entries of earlier versions hold all of it. */
export const toldEvent = (db: Database, kept: KeptEvent | EventRow): EventRow | null => {
  if ("id" in kept) return kept;
  const row = db.get<Stored>(
    "SELECT id, event_type, event_timestamp, organization_id, payload, trace_id, label FROM events WHERE seq = ?",
    kept.seq,
  );
  if (!row) return null;
  return {
    ...row,
    event_timestamp: new Date(db.fromStored(row.event_timestamp)).toISOString(),
    payload: JSON.parse(row.payload) as EventRow["payload"],
    deliveries: kept.deliveries,
  };
};
