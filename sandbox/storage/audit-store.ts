import type Sqlite from "better-sqlite3";

export const AUDIT_SCHEMA = `CREATE TABLE audit (
     seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, by TEXT NOT NULL, operation TEXT NOT NULL, world TEXT,
     detail TEXT NOT NULL, outcome TEXT NOT NULL
   ) STRICT;`;

/** Who changed what, or was refused it. */
export interface AuditRecord {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: string;
  readonly operation: string;
  /** Null: the service itself. */
  readonly world: string | null;
  /** The named things of the call, without secrets. */
  readonly detail: string;
  /** `ok`, an error code, or `failed`. */
  readonly outcome: string;
}

/** Where changes through the control plane are put on record. */
export interface Audit {
  insert(record: Omit<AuditRecord, "seq">): unknown;
  /** Newest first, from before a `seq`. @param world null: of all worlds and of the service */
  list(world: string | null, before: number, limit: number): AuditRecord[] | Promise<AuditRecord[]>;
  /** How many there are. */
  count(world: string | null): number | Promise<number>;
}

/** The record of changes through the control plane, across restarts; the oldest make room. */
export class AuditStore implements Audit {
  readonly #db: Sqlite.Database;
  readonly #most: number;

  constructor(db: Sqlite.Database, most: number) {
    this.#db = db;
    this.#most = most;
  }

  /** It reaches the disk with the next change that waits for it; a service that is killed has lost none. */
  insert(record: Omit<AuditRecord, "seq">): void {
    this.#db.pragma("synchronous = NORMAL");
    try {
      const { lastInsertRowid } = this.#db
        .prepare("INSERT INTO audit VALUES (NULL, :at, :by, :operation, :world, :detail, :outcome)")
        .run(record);
      this.#db.prepare("DELETE FROM audit WHERE seq <= ?").run(Number(lastInsertRowid) - this.#most);
    } finally {
      this.#db.pragma("synchronous = FULL");
    }
  }

  list(world: string | null, before: number, limit: number): AuditRecord[] {
    return this.#db
      .prepare<[object], AuditRecord>(
        "SELECT * FROM audit WHERE seq < :before AND (:world IS NULL OR world = :world) ORDER BY seq DESC LIMIT :limit",
      )
      .all({ world, before, limit });
  }

  count(world: string | null): number {
    return (
      this.#db
        .prepare<[object], { total: number }>(
          "SELECT count(*) AS total FROM audit WHERE :world IS NULL OR world = :world",
        )
        .get({ world })?.total ?? 0
    );
  }

  clear(): void {
    this.#db.exec("DELETE FROM audit");
  }
}
