import fs from "node:fs";
import Sqlite from "better-sqlite3";
import { Database } from "../storage/database.ts";
import { fileVersion, OtherVersionError } from "../storage/migrate.ts";
import { BadSettingError, SettingsStore } from "../storage/settings-store.ts";
import { findMissingTable } from "../worlds/world-files.ts";
import { WorkRefusal } from "./work.ts";

const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

/**
 * Copies a snapshot's file and opens the copy as a world of this version; the original stays unchanged.
 *
 * @param name of the snapshot
 * @throws WorkRefusal for a damaged file or an unsupported version
 */
export const copySnapshot = (name: string, from: string, to: string): Database => {
  const damaged = new WorkRefusal("unprocessable", `the file of snapshot ${name} is damaged. Delete the snapshot`);
  // SQLite would create an empty world for a missing or empty file.
  if (fileVersion(from) === 0) throw damaged;
  for (const suffix of ["", "-wal"])
    if (fs.existsSync(from + suffix)) fs.copyFileSync(from + suffix, to + suffix, fs.constants.COPYFILE_FICLONE);
  let db: Database | undefined;
  try {
    db = new Database(to, { durability: "full" });
    if (!db.isSound() || findMissingTable(db) !== undefined) throw damaged;
    new SettingsStore(db).check();
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof OtherVersionError)
      throw new WorkRefusal(
        "unprocessable",
        error.age === "newer"
          ? `snapshot ${name} was created by a newer version of Integrations Explorer. Update Integrations Explorer`
          : `snapshot ${name} was created by an early build of Integrations Explorer and can’t be read. Delete it`,
      );
    const isDamage =
      error instanceof BadSettingError || (error instanceof Sqlite.SqliteError && DAMAGE.test(error.code));
    throw isDamage ? damaged : error;
  }
};
