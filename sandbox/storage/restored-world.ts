import { Database } from "./database.ts";
import { states } from "./delivery-records.ts";

/** Why a notification that was pending in a snapshot is not sent. */
export const NOT_SENT_AFTER_RESTORE =
  "not sent: the world was restored from a snapshot in which this was pending; send it again by hand";

/** A world's file is damaged. */
export class DamagedFileError extends Error {}

/**
 * Makes a copy of a snapshot's file fit to be a world again: of this version, and without anything that would leave by
 * itself. What was pending counts as failed, because its receiver may have had it long ago.
 *
 * @param now real time, milliseconds since 1970
 * @throws NewerDataError @throws DamagedFileError
 */
export const prepareRestored = (file: string, now: number): void => {
  const db = new Database(file, { durability: "full" });
  try {
    if (!db.isSound()) throw new DamagedFileError(file);
    db.settle();
    db.handle.transaction(() => {
      db.run(
        "UPDATE deliveries SET state = ?, next_attempt_at = NULL, settled_at = ?, last_error = ? WHERE state < 2",
        states.failed,
        db.toStored(now),
        NOT_SENT_AFTER_RESTORE,
      );
      // Readers of the live feed who saw what came after the snapshot must not go on as if that were still so.
      db.run(
        "INSERT INTO meta (key, value) VALUES ('log_trimmed', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        String(now * 1_000),
      );
    })();
  } finally {
    db.close();
  }
};
