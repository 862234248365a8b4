import type Sqlite from "better-sqlite3";
import { ACTIVITY_DAYS, MAX_STRAY_CALLS, type StrayCall } from "../contract/control/activity-operations.ts";
import type { CountedFailures, Failure } from "../rules/worlds/activity.ts";

/** `failure` is the JSON of a {@link Failure}; times are real, milliseconds since 1970. */
export const ACTIVITY_SCHEMA = `CREATE TABLE activity (
     seq INTEGER PRIMARY KEY, minute INTEGER NOT NULL, world TEXT NOT NULL, failure TEXT NOT NULL,
     count INTEGER NOT NULL, last_at INTEGER NOT NULL, last_id TEXT NOT NULL, last_operation TEXT,
     UNIQUE (world, minute, failure)
   ) STRICT;
   CREATE INDEX activity_minute ON activity (minute);`;

/** `call` is the JSON of a {@link StrayCall}. */
export const STRAYS_SCHEMA = "CREATE TABLE strays (seq INTEGER PRIMARY KEY, call TEXT NOT NULL) STRICT;";

export const ACTIVITY_MS = ACTIVITY_DAYS * 86_400_000;
/** Row limit; the oldest are dropped first. Only a flood of distinct callers reaches it. */
export const MAX_ACTIVITY_ROWS = 50_000;
/** Setting that holds the minute of the newest row dropped because of the limit. */
export const ACTIVITY_DROPPED = "activity_dropped";

export interface ActivityQuery {
  /** Null for all worlds. */
  readonly world: string | null;
  /** First minute, inclusive. */
  readonly from: number;
}

export type ActivityRow = CountedFailures & { readonly seq: number };

/** Counts of failures in all worlds. */
export interface ActivityTable {
  /** Adds to the count of the same minute, world and failure. */
  add(counted: readonly CountedFailures[]): unknown;
  /** Rows after a `seq`, in ascending order. */
  rows(of: ActivityQuery, after: number, limit: number): ActivityRow[] | Promise<ActivityRow[]>;
  /** Minute of the newest row dropped because of the limit; 0 if none was. */
  dropped(): number | Promise<number>;
  /** Deletes the counts of a world that no longer exists. */
  deleteWorld(world: string): unknown;
  /** Drops rows that are too old or exceed the limit. */
  trim(now: number): unknown;
  /** Appends calls to unknown worlds, oldest first, and keeps the newest {@link MAX_STRAY_CALLS}. */
  keep(strays: readonly StrayCall[]): unknown;
  /** Calls to unknown worlds as JSON, newest first. */
  strays(): string[] | Promise<string[]>;
}

export type StoredActivity = Omit<ActivityRow, "failure"> & { readonly failure: string };

/** Rows read together share few failures, so each distinct JSON is parsed once. */
export const readActivity = (stored: readonly StoredActivity[]): ActivityRow[] => {
  const known = new Map<string, Failure>();
  return stored.map(({ failure: text, ...row }) => {
    const failure = known.get(text) ?? (JSON.parse(text) as Failure);
    known.set(text, failure);
    return { ...row, failure };
  });
};

/** Counts of a single-machine service, kept across restarts. */
export class ActivityStore implements ActivityTable {
  readonly #db: Sqlite.Database;

  constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  /** Skips the wait for the disk: the next durable change includes these rows, and nothing depends on them. */
  #write(work: () => void): void {
    this.#db.pragma("synchronous = NORMAL");
    try {
      this.#db.transaction(work)();
    } finally {
      this.#db.pragma("synchronous = FULL");
    }
  }

  add(counted: readonly CountedFailures[]): void {
    const insert = this.#db.prepare(
      `INSERT INTO activity (minute, world, failure, count, last_at, last_id, last_operation)
       VALUES (:minute, :world, :failure, :count, :last_at, :last_id, :last_operation)
       ON CONFLICT (world, minute, failure) DO UPDATE SET
         count = count + excluded.count, last_at = excluded.last_at, last_id = excluded.last_id,
         last_operation = excluded.last_operation`,
    );
    this.#write(() => {
      for (const one of counted) insert.run({ ...one, failure: JSON.stringify(one.failure) });
    });
  }

  rows({ world, from }: ActivityQuery, after: number, limit: number): ActivityRow[] {
    const stored = this.#db
      .prepare<[object], StoredActivity>(
        `SELECT * FROM activity
         WHERE seq > :after AND minute >= :from AND (:world IS NULL OR world = :world) ORDER BY seq LIMIT :limit`,
      )
      .all({ world, from, after, limit });
    return readActivity(stored);
  }

  dropped(): number {
    const select = "SELECT value FROM settings WHERE key = ?";
    return Number(this.#db.prepare<[string], { value: string }>(select).get(ACTIVITY_DROPPED)?.value ?? 0);
  }

  deleteWorld(world: string): void {
    this.#write(() => void this.#db.prepare("DELETE FROM activity WHERE world = ?").run(world));
  }

  trim(now: number): void {
    const last = this.#db
      .prepare<[number], number>("SELECT minute FROM activity ORDER BY minute DESC LIMIT 1 OFFSET ?")
      .pluck()
      .get(MAX_ACTIVITY_ROWS);
    this.#write(() => {
      this.#db.prepare("DELETE FROM activity WHERE minute < ?").run(now - ACTIVITY_MS);
      if (last === undefined) return;
      this.#db.prepare("DELETE FROM activity WHERE minute <= ?").run(last);
      this.#db.prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)").run(ACTIVITY_DROPPED, String(last));
    });
  }

  keep(strays: readonly StrayCall[]): void {
    const insert = this.#db.prepare("INSERT INTO strays (call) VALUES (?)");
    this.#write(() => {
      for (const call of strays) insert.run(JSON.stringify(call));
      this.#db.prepare("DELETE FROM strays WHERE seq <= (SELECT max(seq) FROM strays) - ?").run(MAX_STRAY_CALLS);
    });
  }

  strays(): string[] {
    return this.#db.prepare<[], string>("SELECT call FROM strays ORDER BY seq DESC").pluck().all();
  }

  clear(): void {
    for (const table of ["activity", "strays"]) this.#db.prepare(`DELETE FROM ${table}`).run();
    this.#db.prepare("DELETE FROM settings WHERE key = ?").run(ACTIVITY_DROPPED);
  }
}
