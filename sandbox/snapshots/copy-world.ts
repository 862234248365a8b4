import fs from "node:fs";
import Sqlite from "better-sqlite3";
import { Database } from "../storage/database.ts";
import { fileVersion, OtherVersionError } from "../storage/migrate.ts";
import type { WorldSummary } from "../storage/service-database.ts";
import { BadSettingError } from "../storage/settings-store.ts";
import { openStores } from "../storage/stores.ts";
import { syncFile } from "../storage/sync.ts";
import { summaryOf } from "../worlds/world.ts";
import { type CopyWork, type OnProgress, type RestoreWork, WorkRefusal } from "./work.ts";

/** Copied at a time, before others have their turn: about 40 MiB. */
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

/** Why a notification that was pending in a snapshot is not sent. */
const NOT_SENT_AFTER_RESTORE =
  "not sent: the world was restored from a snapshot in which this was pending; send it again by hand";

/**
 * Copies a snapshot's file, and makes the copy fit to be a world again: of this version, and without anything that would
 * leave by itself. What was pending counts as failed, because its receiver may have had it long ago.
 */
export const restoreWorld = ({ from, to, name }: RestoreWork, onProgress: OnProgress): WorldSummary => {
  for (const suffix of ["", "-wal"])
    if (fs.existsSync(from + suffix)) fs.copyFileSync(from + suffix, to + suffix, fs.constants.COPYFILE_FICLONE);
  onProgress(0.5);
  const damaged = (): WorkRefusal =>
    new WorkRefusal("unprocessable", `the file of the snapshot ${name} is damaged; delete the snapshot`);
  // SQLite would make a new, empty world of a file that is gone or empty.
  if (fileVersion(to) === 0) throw damaged();
  try {
    const now = Date.now();
    const db = new Database(to, { durability: "full" });
    try {
      if (!db.isSound()) throw damaged();
      const stores = openStores(db);
      stores.settings.check();
      db.handle.transaction(() => {
        db.run(
          "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, ended_at = ?, last_error = ? WHERE status = 'pending'",
          db.toStored(now),
          NOT_SENT_AFTER_RESTORE,
        );
        // Readers of the live feed who saw what came after the snapshot must not go on as if that were still so.
        stores.settings.set("log_trimmed", now * 1_000);
      })();
      return summaryOf(db, stores);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof OtherVersionError)
      throw new WorkRefusal(
        "unprocessable",
        error.age === "newer"
          ? `the snapshot ${name} was made by a newer version of Integrations Explorer; update it`
          : `the snapshot ${name} was made by an earlier build of Integrations Explorer, which this one does not read; delete it`,
      );
    const damage = error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
    if (damage || error instanceof BadSettingError) throw damaged();
    throw error;
  }
};
