import fs from "node:fs";
import Sqlite from "better-sqlite3";
import { NOT_SENT_AFTER_RESTORE } from "../contract/control/failure-words.ts";
import { Database } from "../storage/database.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { openStores } from "../storage/stores.ts";
import { syncFile } from "../storage/sync.ts";
import { summaryOf } from "../worlds/world.ts";
import { missingTable } from "../worlds/world-files.ts";
import { damagedSnapshot, readSnapshot } from "./read-snapshot.ts";
import type { CopyWork, OnProgress, RestoreWork } from "./work.ts";

/** Copied at a time, before the next turn of the event loop: about 40 MiB. */
const PAGES_AT_ONCE = 10_000;

export const copyWorld = async ({ from, to }: CopyWork, onProgress: OnProgress): Promise<null> => {
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
  syncFile(to);
  return null;
};

/**
 * Copies a snapshot's file, and makes the copy fit to be a world again: of this version, and without anything that would
 * leave by itself. What was pending counts as failed, because its receiver may have had it long ago.
 */
export const restoreWorld = ({ from, to, name }: RestoreWork, onProgress: OnProgress): WorldSummary => {
  for (const suffix of ["", "-wal"])
    if (fs.statSync(from + suffix, { throwIfNoEntry: false })?.isFile())
      fs.copyFileSync(from + suffix, to + suffix, fs.constants.COPYFILE_FICLONE);
  onProgress(0.5);
  return readSnapshot(name, to, () => {
    const now = Date.now();
    const db = new Database(to, { durability: "full" });
    try {
      if (!db.isSound() || missingTable(db) !== undefined) throw damagedSnapshot(name);
      const stores = openStores(db);
      stores.settings.check();
      db.handle.transaction(() => {
        db.run(
          "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, ended_at = ?, last_error = ? WHERE status = 'pending'",
          db.toStored(now),
          NOT_SENT_AFTER_RESTORE,
        );
        // Readers of the live feed who saw what came after the snapshot must not go on as if that were still so.
        stores.settings.set("log_restored", now * 1_000);
      })();
      return summaryOf(db, stores);
    } finally {
      db.close();
    }
  });
};
