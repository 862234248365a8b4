import type { DeliveryRow } from "../contract/control/rows.ts";
import type { Database } from "./database.ts";
import { DELIVERY_SELECT, deliveryRecord, type StoredDelivery } from "./delivery-records.ts";
import { deliveryRow } from "./delivery-rows.ts";

/** How a delivery stood when it was told of. What never changes of it is in its own row, and kept once. */
type Stood = Pick<
  DeliveryRow,
  "status" | "attempts_made" | "last_status" | "last_error" | "next_attempt_at" | "settled_at"
>;
/** As it is kept: what is null or zero is left out. */
type KeptDelivery = Pick<DeliveryRow, "id" | "status"> & { -readonly [K in keyof Stood]?: NonNullable<Stood[K]> };

const nothingYet = { attempts_made: 0, last_status: null, last_error: null, next_attempt_at: null, settled_at: null };

/** A delivery that was told of, as the log keeps it. */
export const keptDelivery = (row: DeliveryRow): KeptDelivery => {
  const kept: KeptDelivery = { id: row.id, status: row.status };
  if (row.attempts_made > 0) kept.attempts_made = row.attempts_made;
  if (row.last_status !== null) kept.last_status = row.last_status;
  if (row.last_error !== null) kept.last_error = row.last_error;
  if (row.next_attempt_at !== null) kept.next_attempt_at = row.next_attempt_at;
  if (row.settled_at !== null) kept.settled_at = row.settled_at;
  return kept;
};

/** The delivery as it was told of; null once it is no longer kept. Entries of earlier versions hold all of it. */
export const toldDelivery = (db: Database, kept: KeptDelivery | DeliveryRow): DeliveryRow | null => {
  if ("message_id" in kept) return kept;
  const stored = db.get<StoredDelivery>(`${DELIVERY_SELECT} WHERE d.id = ?`, kept.id);
  return stored ? { ...deliveryRow(deliveryRecord(db, stored)), ...nothingYet, ...kept } : null;
};
