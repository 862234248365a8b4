import Sqlite from "better-sqlite3";

const MIGRATIONS = [
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE worlds (
     name TEXT PRIMARY KEY, created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL, pinned INTEGER NOT NULL DEFAULT 0
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE due (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
];

export interface WorldEntry {
  readonly name: string;
  readonly created_at: number;
  readonly last_active_at: number;
  readonly pinned: boolean;
}

/** Another process has this data folder. */
export class FolderInUseError extends Error {}

/** The service's own file was written by a newer version. */
export class NewerServiceDataError extends Error {}

/**
 * The service's own small file: which worlds there are, and settings. It is held in exclusive locking mode for the
 * life of the process, which is what keeps two services out of one data folder; the lock ends with the process,
 * however it ends.
 */
export class ServiceDatabase {
  readonly #handle: Sqlite.Database;

  /** @throws FolderInUseError @throws NewerServiceDataError */
  constructor(file: string) {
    this.#handle = new Sqlite(file, { timeout: 0 });
    try {
      this.#handle.pragma("locking_mode = EXCLUSIVE");
      this.#handle.pragma("journal_mode = TRUNCATE");
      this.#handle.pragma("synchronous = FULL");
      this.#handle.exec("BEGIN EXCLUSIVE");
      const from = Number(this.#handle.pragma("user_version", { simple: true }));
      if (from > MIGRATIONS.length) throw new NewerServiceDataError(String(from));
      for (const step of MIGRATIONS.slice(from)) this.#handle.exec(step);
      this.#handle.pragma(`user_version = ${MIGRATIONS.length}`);
      this.#handle.exec("COMMIT");
    } catch (error) {
      this.#handle.close();
      if (error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY")) throw new FolderInUseError();
      throw error;
    }
  }

  setting(key: string): string | undefined {
    return this.#handle.prepare<[string], { value: string }>("SELECT value FROM settings WHERE key = ?").get(key)
      ?.value;
  }

  setSetting(key: string, value: string): void {
    this.#handle
      .prepare("INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
      .run(key, value);
  }

  worlds(): WorldEntry[] {
    return this.#handle
      .prepare<[], WorldEntry>("SELECT name, created_at, last_active_at, pinned FROM worlds ORDER BY name")
      .all()
      .map((row) => ({ ...row, pinned: Boolean(row.pinned) }));
  }

  saveWorld(entry: WorldEntry): void {
    this.#handle
      .prepare(
        "INSERT INTO worlds (name, created_at, last_active_at, pinned) VALUES (?, ?, ?, ?) " +
          "ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at, last_active_at = excluded.last_active_at, pinned = excluded.pinned",
      )
      .run(entry.name, entry.created_at, entry.last_active_at, Number(entry.pinned));
  }

  removeWorld(name: string): void {
    this.#handle.prepare("DELETE FROM worlds WHERE name = ?").run(name);
    this.setDue(name, null);
  }

  /** Writes down when the next delivery of a closed world is due; null: none waits. */
  setDue(name: string, at: number | null): void {
    if (at === null) this.#handle.prepare("DELETE FROM due WHERE name = ?").run(name);
    else
      this.#handle
        .prepare("INSERT INTO due (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at")
        .run(name, at);
  }

  /** The closed worlds in which a delivery is due by then. */
  dueBy(at: number): string[] {
    return this.#handle
      .prepare<[number], { name: string }>("SELECT name FROM due WHERE at <= ? ORDER BY at")
      .all(at)
      .map((row) => row.name);
  }

  close(): void {
    this.#handle.close();
  }
}
