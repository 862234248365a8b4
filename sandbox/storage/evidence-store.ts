import type Sqlite from "better-sqlite3";
import type { IssuedEvidence as Issued } from "../contract/control/readiness-operations.ts";

export const EVIDENCE_SCHEMA = `CREATE TABLE evidence (
     seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, world TEXT NOT NULL, record TEXT NOT NULL,
     revoked_at INTEGER, revoked_for TEXT
   ) STRICT;
   CREATE INDEX evidence_world ON evidence (world);`;

/**
 * Limit of valid files per world; the oldest are dropped first. Revoked files stay, so no flood can hide a revocation.
 */
export const MAX_EVIDENCE = 1_000;

/** Content of an issued file. Times are milliseconds since 1970. */
export interface IssuedEvidence extends Readonly<Omit<Issued, "issued_at" | "revoked_at" | "revoked_for">> {
  readonly issued_at: number;
}

interface Revocation {
  readonly seq: number;
  /** Null while valid. */
  readonly revoked_at: number | null;
  readonly revoked_for: string | null;
}

export interface EvidenceRecord extends IssuedEvidence, Revocation {}

interface EvidenceQuery {
  /** Null for all worlds. */
  readonly world: string | null;
  /** Null for all integrations. */
  readonly integration_id: string | null;
  /** Null for all files. */
  readonly id: string | null;
}

/** Register of issued and revoked evidence. */
export interface EvidenceRegister {
  insert(issued: IssuedEvidence): void | Promise<void>;
  /** Records with a smaller `seq`, newest first. */
  list(of: EvidenceQuery, before: number, limit: number): EvidenceRecord[] | Promise<EvidenceRecord[]>;
  /** Revokes a file. A second call keeps the first revocation. */
  revoke(id: string, world: string, at: number, why: string | null): void | Promise<void>;
}

/** Evidence register of a single-machine service. */
export class EvidenceStore implements EvidenceRegister {
  readonly #db: Sqlite.Database;

  constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  insert(issued: IssuedEvidence): void {
    const { id, world } = issued;
    this.#db.prepare("INSERT INTO evidence VALUES (NULL, ?, ?, ?, NULL, NULL)").run(id, world, JSON.stringify(issued));
    const older = "SELECT seq FROM evidence WHERE world = ? AND revoked_at IS NULL ORDER BY seq DESC LIMIT -1 OFFSET ?";
    this.#db.prepare(`DELETE FROM evidence WHERE seq IN (${older})`).run(world, MAX_EVIDENCE);
  }

  list({ world, integration_id, id }: EvidenceQuery, before: number, limit: number): EvidenceRecord[] {
    return this.#db
      .prepare<[object], Revocation & { readonly record: string }>(
        `SELECT seq, record, revoked_at, revoked_for FROM evidence
         WHERE seq < :before AND (:world IS NULL OR world = :world) AND (:id IS NULL OR id = :id)
           AND (:integration_id IS NULL OR record ->> 'integration_id' = :integration_id)
         ORDER BY seq DESC LIMIT :limit`,
      )
      .all({ world, integration_id, id, before, limit })
      .map(({ record, ...row }) => ({ ...(JSON.parse(record) as IssuedEvidence), ...row }));
  }

  revoke(id: string, world: string, at: number, why: string | null): void {
    this.#db
      .prepare("UPDATE evidence SET revoked_at = ?, revoked_for = ? WHERE id = ? AND world = ? AND revoked_at IS NULL")
      .run(at, why, id, world);
  }

  clear(): void {
    this.#db.exec("DELETE FROM evidence");
  }
}
