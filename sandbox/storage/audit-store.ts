import type Sqlite from "better-sqlite3";
import type { AuditEntry, AuditKind } from "../contract/control/service-operations.ts";
import { type AuditDetail, parseStoredDetail } from "../rules/access/audit-detail.ts";

export const AUDIT_SCHEMA = `CREATE TABLE audit (
     seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, by TEXT NOT NULL, operation TEXT NOT NULL, world TEXT,
     detail TEXT NOT NULL, outcome TEXT NOT NULL
   ) STRICT;`;
export const AUDIT_KINDS = `ALTER TABLE audit ADD COLUMN kind TEXT NOT NULL DEFAULT 'change';
   CREATE INDEX audit_kind ON audit (kind);`;

export interface AuditRecord extends Readonly<Omit<AuditEntry, "id" | "at" | "detail">> {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly detail: AuditDetail;
}

export interface AuditQuery {
  /** Null for all worlds and the service. */
  readonly world: string | null;
  /** Null for both kinds. */
  readonly kind: AuditKind | null;
}

/** Audit log of control-plane calls. */
export interface Audit {
  insert(record: Omit<AuditRecord, "seq">): unknown;
  /** Records with a smaller `seq`, newest first. */
  list(of: AuditQuery, before: number, limit: number): AuditRecord[] | Promise<AuditRecord[]>;
  count(of: AuditQuery): number | Promise<number>;
}

const FOUND = "(:world IS NULL OR world = :world) AND (:kind IS NULL OR kind = :kind)";

/** Audit log of a single-machine service. Keeps the newest records of each kind. */
export class AuditStore implements Audit {
  readonly #db: Sqlite.Database;
  readonly #most: number;
  /** Row count by kind, read on first use. */
  readonly #storedCounts = new Map<AuditKind, number>();

  constructor(db: Sqlite.Database, most: number) {
    this.#db = db;
    this.#most = most;
  }

  /** Skips the wait for the disk: the next durable change includes this record. It survives a killed process. */
  insert(record: Omit<AuditRecord, "seq">): void {
    const { kind } = record;
    const storedCount = this.#storedCounts.get(kind) ?? this.count({ world: null, kind });
    this.#db.pragma("synchronous = NORMAL");
    try {
      this.#db
        .prepare("INSERT INTO audit VALUES (NULL, :at, :by, :operation, :world, :detail, :outcome, :kind)")
        .run({ ...record, detail: JSON.stringify(record.detail) });
      if (storedCount < this.#most) this.#storedCounts.set(kind, storedCount + 1);
      else this.#db.prepare("DELETE FROM audit WHERE seq = (SELECT min(seq) FROM audit WHERE kind = ?)").run(kind);
    } finally {
      this.#db.pragma("synchronous = FULL");
    }
  }

  list(of: AuditQuery, before: number, limit: number): AuditRecord[] {
    return this.#db
      .prepare<[object], Omit<AuditRecord, "detail"> & { readonly detail: string }>(
        `SELECT * FROM audit WHERE seq < :before AND ${FOUND} ORDER BY seq DESC LIMIT :limit`,
      )
      .all({ ...of, before, limit })
      .map((row) => ({ ...row, detail: parseStoredDetail(row.detail) }));
  }

  count(of: AuditQuery): number {
    const select = `SELECT count(*) AS total FROM audit WHERE ${FOUND}`;
    return this.#db.prepare<[object], { total: number }>(select).get(of)?.total ?? 0;
  }

  clear(): void {
    this.#db.exec("DELETE FROM audit");
    this.#storedCounts.clear();
  }
}
