import Sqlite from "better-sqlite3";
import { fileVersion, OtherVersionError, refuseOtherVersion } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { BadSettingError } from "../storage/settings-store.ts";
import { WorkRefusal } from "./work.ts";

const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|ERROR no such table)/;

/** Why a snapshot whose file is not what was written is not read. */
export const damagedSnapshot = (name: string): WorkRefusal =>
  new WorkRefusal("unprocessable", `the file of the snapshot ${name} is damaged; delete the snapshot`);

/** Says of a snapshot's file, before it is opened and while it is read, what a caller can do about it. @throws WorkRefusal */
export const readSnapshot = <T>(name: string, file: string, read: () => T): T => {
  // SQLite would make a new, empty world of a file that is gone or empty.
  if (fileVersion(file) === 0) throw damagedSnapshot(name);
  try {
    refuseOtherVersion(file, migrations);
    return read();
  } catch (error) {
    if (error instanceof OtherVersionError)
      throw new WorkRefusal(
        "unprocessable",
        error.age === "newer"
          ? `the snapshot ${name} was made by a newer version of Integrations Explorer; update it`
          : `the snapshot ${name} was made by an earlier build of Integrations Explorer, which this one does not read; delete it`,
      );
    const damage = error instanceof Sqlite.SqliteError && DAMAGE.test(`${error.code} ${error.message}`);
    if (damage || error instanceof BadSettingError) throw damagedSnapshot(name);
    throw error;
  }
};
