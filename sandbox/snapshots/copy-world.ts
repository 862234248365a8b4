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
  /** Whether what waits to be delivered is in the copy. */
  readonly pending: "kept" | "left out";
}
interface RestoreWork {
  readonly from: string;
  readonly to: string;
  /** Of the snapshot. */
  readonly name: string;
}

/** Copied at a time, before the next turn of the event loop: about 40 MiB. */
const PAGES_AT_ONCE = 10_000;

/** Copies a world's file as it is at a moment, whoever else has it open. @returns how much is in it */
export const copyWorld = async ({ from, to, pending }: CopyWork, onProgress: OnProgress): Promise<WorldSummary> => {
  const source = new Sqlite(from, { readonly: true, fileMustExist: true });
  try {
    // The copy is of this moment: what is written while it is made would else begin it anew, again and again.
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
    if (pending === "left out") db.run("DELETE FROM deliveries WHERE status = 'pending'");
    return readSummary(db, openStores(db));
  } finally {
    db.close();
    syncFile(to);
  }
};

/**
 * Makes a world's file of a snapshot's, without anything that would leave by itself: what was pending counts as failed,
 * because its receiver may have had it long ago.
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
      // Readers of the live feed who saw what came after the snapshot must not go on as if that were still so.
      stores.settings.set("log_restored", now * 1_000);
    })();
    return readSummary(db, stores);
  } finally {
    db.close();
  }
};

/** Folds the log of a world's file into it, beside the writes of whoever has it open. */
export const foldWorld = ({ file }: { readonly file: string }): null => {
  const handle = new Sqlite(file, { fileMustExist: true });
  try {
    // The second time what came in the first, so that little is left.
    for (let times = 0; times < 2; times += 1) handle.pragma("wal_checkpoint(PASSIVE)");
  } finally {
    handle.close();
  }
  return null;
};
