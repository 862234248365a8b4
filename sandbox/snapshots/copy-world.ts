import Sqlite from "better-sqlite3";
import { NOT_SENT_AFTER_RESTORE } from "../contract/control/words.ts";
import { Database } from "../storage/database.ts";
import { realTime } from "../storage/real-time.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { openStores } from "../storage/stores.ts";
import { syncFile } from "../storage/sync.ts";
import { readSummary } from "../worlds/world.ts";
import { copySnapshot } from "./read-snapshot.ts";
import type { OnProgress } from "./work.ts";

interface CopyWork {
  readonly from: string;
  readonly to: string;
  /** Handling of pending deliveries in the copy. Another world leaves them out. */
  readonly pending: "kept" | "left out";
}
interface RestoreWork {
  readonly from: string;
  readonly to: string;
  /** The snapshot's name. */
  readonly name: string;
}

/** Pages to copy before yielding to the event loop: about 40 MiB. */
const PAGES_AT_ONCE = 10_000;

/** Copies a world's file as of now, even while others have it open. @returns its counts */
export const copyWorld = async ({ from, to, pending }: CopyWork, onProgress: OnProgress): Promise<WorldSummary> => {
  const source = new Sqlite(from, { readonly: true, fileMustExist: true });
  try {
    // A read transaction fixes the moment of the copy; otherwise, every concurrent write would restart it.
    source.exec("BEGIN; SELECT 1 FROM meta");
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        if (totalPages > 0) onProgress(1 - remainingPages / totalPages);
        return PAGES_AT_ONCE;
      },
    });
  } finally {
    source.close();
  }
  const db = new Database(to, { durability: "off" });
  try {
    const stores = openStores(db);
    if (pending === "left out") {
      db.run("DELETE FROM deliveries WHERE status = 'pending'");
      stores.settings.set("copied_at", realTime());
    }
    return readSummary(db, stores);
  } finally {
    db.close();
    syncFile(to);
  }
};

/**
 * Creates a world's file from a snapshot. Pending deliveries become failed, because their receivers may have received
 * them long ago.
 */
export const restoreWorld = ({ from, to, name }: RestoreWork, onProgress: OnProgress): WorldSummary => {
  const db = copySnapshot(name, from, to);
  try {
    onProgress(0.5);
    const stores = openStores(db);
    const now = realTime();
    db.handle.transaction(() => {
      db.run(
        "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, ended_at = ?, last_error = ? WHERE status = 'pending'",
        db.toStored(now),
        NOT_SENT_AFTER_RESTORE,
      );
      // Readers of the live feed that saw later entries must start again.
      stores.settings.set("log_restored", now * 1_000);
    })();
    return readSummary(db, stores);
  } finally {
    db.close();
  }
};

/** Checkpoints the write-ahead log of a world's file; others may keep writing. */
export const foldWorld = ({ file }: { readonly file: string }): null => {
  const handle = new Sqlite(file, { fileMustExist: true });
  try {
    // The second pass copies what was written during the first, so little remains.
    for (let times = 0; times < 2; times += 1) handle.pragma("wal_checkpoint(PASSIVE)");
  } finally {
    handle.close();
  }
  return null;
};
