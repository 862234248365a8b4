import Sqlite from "better-sqlite3";
import { fileVersion } from "./database.ts";

const MIGRATIONS = [
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE worlds (
     name TEXT PRIMARY KEY, created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL, pinned INTEGER NOT NULL DEFAULT 0
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE due (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  `ALTER TABLE worlds ADD COLUMN settled INTEGER NOT NULL DEFAULT 1;
   ALTER TABLE worlds ADD COLUMN summary TEXT;`,
];

/** What is in a world, as it was when it was closed. */
export interface WorldSummary {
  readonly jobs: number;
  readonly procurements: number;
  readonly credentials: number;
  readonly subscriptions: number;
  /** Milliseconds its clock is ahead of real time (D84). */
  readonly clock_offset: number;
}

export interface WorldEntry {
  readonly name: string;
  readonly created_at: number;
  readonly last_active_at: number;
  readonly pinned: boolean;
  /** Whether a change in it was acknowledged: its file is on disk then, and never taken for unfinished. */
  readonly settled: boolean;
  /** Null when it is not known without opening the world. */
  readonly summary: WorldSummary | null;
}

/** Another process has this data folder. */
export class FolderInUseError extends Error {}

/** The service's own file was written by a newer version. */
export class NewerServiceDataError extends Error {}

const versionOf = (handle: Sqlite.Database): number => Number(handle.pragma("user_version", { simple: true }));

const refuseNewer = (version: number): void => {
  if (version > MIGRATIONS.length) throw new NewerServiceDataError(String(version));
};

const asInUse = (error: unknown): unknown =>
  error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY") ? new FolderInUseError() : error;

/**
 * The service's own small file: which worlds there are, and settings. It is held in exclusive locking mode for the
 * life of the process, which is what keeps two services out of one data folder; the lock ends with the process,
 * however it ends.
 */
export class ServiceDatabase {
  readonly #handle: Sqlite.Database;

  /** @throws FolderInUseError @throws NewerServiceDataError */
  constructor(file: string) {
    try {
      refuseNewer(fileVersion(file));
    } catch (error) {
      throw asInUse(error);
    }
    this.#handle = new Sqlite(file, { timeout: 0 });
    try {
      this.#handle.pragma("locking_mode = EXCLUSIVE");
      this.#handle.pragma("journal_mode = WAL");
      this.#handle.pragma("synchronous = FULL");
      this.#handle.exec("BEGIN EXCLUSIVE");
      const from = versionOf(this.#handle);
      refuseNewer(from);
      for (const step of MIGRATIONS.slice(from)) this.#handle.exec(step);
      if (from < MIGRATIONS.length) this.#handle.pragma(`user_version = ${MIGRATIONS.length}`);
      this.#handle.exec("COMMIT");
    } catch (error) {
      this.#handle.close();
      throw asInUse(error);
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

  /** In the order of their names. */
  worlds(): WorldEntry[] {
    type Stored = { [K in keyof WorldEntry]: WorldEntry[K] extends boolean ? number : WorldEntry[K] } & {
      readonly summary: string | null;
    };
    const rows = this.#handle.prepare<[], Stored>(
      "SELECT name, created_at, last_active_at, pinned, settled, summary FROM worlds ORDER BY name",
    );
    // There are thousands for as long as the service runs, and most of them hold the same.
    const summaries = new Map<string, WorldSummary>();
    const summaryOf = (text: string): WorldSummary => {
      const summary = summaries.get(text) ?? (JSON.parse(text) as WorldSummary);
      summaries.set(text, summary);
      return summary;
    };
    const entries: WorldEntry[] = [];
    for (const { name, created_at, last_active_at, pinned, settled, summary } of rows.iterate()) {
      entries.push({
        name,
        created_at,
        last_active_at,
        pinned: Boolean(pinned),
        settled: Boolean(settled),
        summary: summary === null ? null : summaryOf(summary),
      });
    }
    return entries;
  }

  /**
   * Writes down what became of worlds, all at once. What a power failure takes of it is found again in the folder, so it
   * need not wait for the disk, unless a file is about to be replaced by one that is not there yet.
   *
   * @param gone worlds that are no more
   */
  saveWorlds(entries: Iterable<WorldEntry>, gone: Iterable<string> = [], wait = false): void {
    const save = this.#handle.prepare(
      "INSERT INTO worlds (name, created_at, last_active_at, pinned, settled, summary) VALUES (?, ?, ?, ?, ?, ?) " +
        "ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at, last_active_at = excluded.last_active_at, " +
        "pinned = excluded.pinned, settled = excluded.settled, summary = excluded.summary",
    );
    const forget = ["worlds", "due"].map((table) => this.#handle.prepare(`DELETE FROM ${table} WHERE name = ?`));
    const write = this.#handle.transaction(() => {
      for (const name of gone) for (const statement of forget) statement.run(name);
      for (const { name, created_at, last_active_at, pinned, settled, summary } of entries) {
        const written = summary && JSON.stringify(summary);
        save.run(name, created_at, last_active_at, Number(pinned), Number(settled), written);
      }
    });
    if (wait) write();
    else this.#lazily(write);
  }

  /** Runs what may reach the disk with the next change that waits for it. */
  #lazily(run: () => void): void {
    this.#handle.pragma("synchronous = NORMAL");
    try {
      run();
    } finally {
      this.#handle.pragma("synchronous = FULL");
    }
  }

  /** Writes down when the next delivery of a closed world is due. On disk when it returns. */
  setDue(name: string, at: number): void {
    this.#handle
      .prepare("INSERT INTO due (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at")
      .run(name, at);
  }

  /** Nothing waits in a closed world, or it is open. Should that be forgotten, it is opened once in vain. */
  clearDue(name: string): void {
    this.#lazily(() => this.#handle.prepare("DELETE FROM due WHERE name = ?").run(name));
  }

  /** When the next delivery is due in each closed world in which one waits. */
  due(): { readonly name: string; readonly at: number }[] {
    return this.#handle.prepare<[], { name: string; at: number }>("SELECT name, at FROM due ORDER BY at").all();
  }

  close(): void {
    this.#handle.close();
  }
}
