import Sqlite from "better-sqlite3";
import { MOST_AUDITED } from "../contract/control/service-operations.ts";
import { ACCESS_SCHEMA, AccessStore, PLANS_SCHEMA } from "./access-store.ts";
import { ACTIVITY_SCHEMA, ActivityStore, STRAYS_SCHEMA } from "./activity-store.ts";
import { AUDIT_KINDS, AUDIT_SCHEMA, AuditStore } from "./audit-store.ts";
import { EVIDENCE_SCHEMA, EvidenceStore } from "./evidence-store.ts";
import { INTEGRATIONS_SCHEMA, IntegrationsStore } from "./integrations-store.ts";
import { migrate, refuseOtherVersion } from "./migrate.ts";

const MIGRATIONS = [
  `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE worlds (
     name TEXT PRIMARY KEY, created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL, pinned INTEGER NOT NULL,
     due_at INTEGER, closed TEXT
   ) STRICT, WITHOUT ROWID;`,
  ACCESS_SCHEMA,
  AUDIT_SCHEMA,
  PLANS_SCHEMA,
  AUDIT_KINDS,
  INTEGRATIONS_SCHEMA,
  EVIDENCE_SCHEMA,
  ACTIVITY_SCHEMA,
  STRAYS_SCHEMA,
];

/** What is in a world. */
export interface WorldSummary {
  readonly jobs: number;
  readonly procurements: number;
  readonly credentials: number;
  readonly subscriptions: number;
  /** Milliseconds its clock is ahead of real time (D84). */
  readonly clock_offset: number;
  /** When the newest call that is kept began, as RFC 3339; null where none is kept. */
  readonly last_called_at: string | null;
}

/** What was in a world when it was closed. */
export interface ClosedWorld {
  readonly summary: WorldSummary;
  /** When its file was written last: if that is another time now, none of this may be so any more. */
  readonly changed_at: number | null;
}

/** What the service knows of a world without opening it. Times are milliseconds since 1970. */
export interface WorldEntry {
  readonly name: string;
  readonly created_at: number;
  /** Written down now and then only, for it changes with every call. */
  last_active_at: number;
  readonly pinned: boolean;
  /** When it has to be opened because a delivery is due in it; null: while it is closed none is. */
  readonly due_at: number | null;
  /** Null while it is open, and when nobody could write it down. */
  readonly closed: ClosedWorld | null;
  /** Of one that another machine holds: what its file takes there. */
  readonly bytes?: number;
  /** Of one that may be another machine's: which one holds it; null: none does. */
  readonly node?: string | null;
}

/** Another process has this data folder. */
export class FolderInUseError extends Error {}

const asInUse = (error: unknown): unknown =>
  error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY") ? new FolderInUseError() : error;

/**
 * The service's own small file: which worlds there are, and settings. It is held in exclusive locking mode for the
 * life of the process, which is what keeps two services out of one data folder; the lock ends with the process,
 * however it ends.
 */
export class ServiceDatabase {
  readonly #handle: Sqlite.Database;
  readonly access: AccessStore;
  readonly integrations: IntegrationsStore;
  readonly audit: AuditStore;
  readonly evidence: EvidenceStore;
  readonly activity: ActivityStore;

  /** @throws FolderInUseError @throws OtherVersionError */
  constructor(file: string) {
    try {
      refuseOtherVersion(file, MIGRATIONS);
    } catch (error) {
      throw asInUse(error);
    }
    this.#handle = new Sqlite(file, { timeout: 0 });
    try {
      this.#handle.pragma("locking_mode = EXCLUSIVE");
      this.#handle.pragma("journal_mode = WAL");
      this.#handle.pragma("synchronous = FULL");
      this.#handle.exec("BEGIN EXCLUSIVE; COMMIT");
      migrate(this.#handle, MIGRATIONS);
      this.access = new AccessStore(this.#handle);
      this.integrations = new IntegrationsStore(this.#handle);
      this.audit = new AuditStore(this.#handle, MOST_AUDITED);
      this.evidence = new EvidenceStore(this.#handle);
      this.activity = new ActivityStore(this.#handle);
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

  forgetSetting(key: string): void {
    this.#handle.prepare("DELETE FROM settings WHERE key = ?").run(key);
  }

  /** Writes the file anew, without what was deleted: nobody finds that in it any more. */
  compact(): void {
    this.#handle.exec("VACUUM");
    this.#handle.pragma("wal_checkpoint(TRUNCATE)");
  }

  /** In the order of their names. */
  worlds(): WorldEntry[] {
    type Stored = Omit<WorldEntry, "pinned" | "closed"> & { readonly pinned: number; readonly closed: string | null };
    return this.#handle
      .prepare<[], Stored>("SELECT name, created_at, last_active_at, pinned, due_at, closed FROM worlds ORDER BY name")
      .all()
      .map(({ pinned, closed, ...row }) => ({
        ...row,
        pinned: Boolean(pinned),
        closed: closed === null ? null : (JSON.parse(closed) as ClosedWorld),
      }));
  }

  /**
   * Writes down what became of worlds, all at once.
   *
   * @param gone worlds that are no more
   * @param wait whether it is on disk when this returns; otherwise it reaches the disk with the next change that waits
   */
  saveWorlds(entries: Iterable<WorldEntry>, gone: Iterable<string>, wait: boolean): void {
    const save = this.#handle.prepare("INSERT OR REPLACE INTO worlds VALUES (?, ?, ?, ?, ?, ?)");
    const forget = this.#handle.prepare("DELETE FROM worlds WHERE name = ?");
    const write = this.#handle.transaction(() => {
      for (const name of gone) forget.run(name);
      for (const { name, created_at, last_active_at, pinned, due_at, closed } of entries)
        save.run(name, created_at, last_active_at, Number(pinned), due_at, closed && JSON.stringify(closed));
    });
    if (!wait) this.#handle.pragma("synchronous = NORMAL");
    try {
      write();
    } finally {
      if (!wait) this.#handle.pragma("synchronous = FULL");
    }
  }

  /** Returns once the disk has accepted a write. */
  checkWritable(): void {
    this.setSetting("checked_at", String(Date.now()));
  }

  close(): void {
    this.#handle.close();
  }
}
