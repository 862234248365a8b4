import Sqlite from "better-sqlite3";
import { MAX_AUDIT_ENTRIES } from "../contract/control/service-operations.ts";
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

/** Summary of a world: record counts, clock offset and last call. */
export interface WorldSummary {
  readonly jobs: number;
  readonly procurements: number;
  readonly credentials: number;
  readonly subscriptions: number;
  /** Milliseconds the world's clock is ahead of real time (D84). */
  readonly clock_offset: number;
  /** Start of the newest call, as RFC 3339; null if none is stored. */
  readonly last_called_at: string | null;
}

/** Content of a world at its last close. */
interface ClosedWorld {
  readonly summary: WorldSummary;
  /** Modification time of the world's file. If it differs now, the summary may be outdated. */
  readonly changed_at: number | null;
}

/** A world as known without opening it. Times are milliseconds since 1970. */
export interface WorldEntry {
  readonly name: string;
  readonly created_at: number;
  /** Written only now and then, because it changes with every call. */
  last_active_at: number;
  readonly pinned: boolean;
  /** Time to open the world for a due delivery; null if none is due while it is closed. */
  readonly due_at: number | null;
  /** Null while the world is open, or if the close couldn't be recorded. */
  readonly closed: ClosedWorld | null;
  /** File size, for a world another node owns. */
  readonly bytes?: number;
  /** Owning node in a cluster; null if none owns it. */
  readonly node?: string | null;
}

/** Another process uses this data folder. */
export class FolderInUseError extends Error {}

const toFolderInUse = (error: unknown): unknown =>
  error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY") ? new FolderInUseError() : error;

/**
 * The service's own small file: worlds and settings. An exclusive lock for the life of the process keeps a second
 * service out of the data folder. The lock ends with the process, even on a crash.
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
      throw toFolderInUse(error);
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
      this.audit = new AuditStore(this.#handle, MAX_AUDIT_ENTRIES);
      this.evidence = new EvidenceStore(this.#handle);
      this.activity = new ActivityStore(this.#handle);
    } catch (error) {
      this.#handle.close();
      throw toFolderInUse(error);
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

  deleteSetting(key: string): void {
    this.#handle.prepare("DELETE FROM settings WHERE key = ?").run(key);
  }

  /** Rewrites the file, so that deleted content can't be recovered from it. */
  compact(): void {
    this.#handle.exec("VACUUM");
    this.#handle.pragma("wal_checkpoint(TRUNCATE)");
  }

  /** Ordered by name. */
  worlds(): WorldEntry[] {
    type Stored = Omit<WorldEntry, "pinned" | "closed"> & { readonly pinned: number; readonly closed: string | null };
    return this.#handle
      .prepare<[], Stored>("SELECT name, created_at, last_active_at, pinned, due_at, closed FROM worlds ORDER BY name")
      .all()
      .map(({ name, created_at, last_active_at, pinned, due_at, closed }) => ({
        // Spreads of thousands of rows would delay a start.
        name,
        created_at,
        last_active_at,
        pinned: Boolean(pinned),
        due_at,
        closed: closed === null ? null : (JSON.parse(closed) as ClosedWorld),
      }));
  }

  /**
   * Saves changes of worlds in one transaction.
   *
   * @param deleted names of deleted worlds
   * @param wait whether to wait for the disk; otherwise the next durable change includes it
   */
  saveWorlds(entries: Iterable<WorldEntry>, deleted: Iterable<string>, wait: boolean): void {
    const save = this.#handle.prepare("INSERT OR REPLACE INTO worlds VALUES (?, ?, ?, ?, ?, ?)");
    const deletion = this.#handle.prepare("DELETE FROM worlds WHERE name = ?");
    const write = this.#handle.transaction(() => {
      for (const name of deleted) deletion.run(name);
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

  /** Returns once the disk accepted a write. */
  checkWritable(): void {
    this.setSetting("checked_at", String(Date.now()));
  }

  close(): void {
    this.#handle.close();
  }
}
