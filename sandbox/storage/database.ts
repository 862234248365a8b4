import fs from "node:fs";
import Sqlite from "better-sqlite3";
import { foldCase } from "./folded.ts";
import { migrate, refuseOtherVersion } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { realTime } from "./real-time.ts";
import { SettingsStore } from "./settings-store.ts";

export interface OpenOptions {
  /** `full`: commits are on disk once {@link Database.sync} resolves. `off`: for temporary files. */
  readonly durability: "full" | "off";
}

/** Small pages, because a commit writes whole pages and a call changes a few bytes in about twenty of them. */
const PAGE_BYTES = 2_048;
/**
 * WAL size at which a commit checkpoints it: 64 MiB. That blocks on the disk, so world-leases.ts checkpoints open
 * worlds earlier, on a thread.
 */
const CHECKPOINT_PAGES = 32_000;

/** Tables that make up the world's feed. Their rows share one number sequence. */
export const FEED_TABLES = ["requests", "events", "deliveries", "attempts", "log"] as const;
const NUMBERS_PER_MILLISECOND = 1_000;
const LAST = `SELECT max(${FEED_TABLES.map((table) => `coalesce((SELECT max(seq) FROM ${table}), 0)`).join(", ")}) AS seq`;

const stored = (row: Readonly<Record<string, unknown>>): unknown[] =>
  Object.values(row).map((value) => (typeof value === "boolean" ? Number(value) : value));

/**
 * One world's SQLite file. Statements are prepared on first use: opening a world is frequent, and few visits need all
 * statements.
 */
export class Database {
  readonly handle: Sqlite.Database;
  readonly durability: OpenOptions["durability"];
  readonly #statements = new Map<string, Sqlite.Statement>();
  /** Descriptor of the WAL file, opened by the first sync. */
  #log: number | null = null;
  #syncing: Promise<void> = Promise.resolve();
  #epoch = 0;
  #last: number | undefined;

  constructor(file: string, options: OpenOptions) {
    refuseOtherVersion(file, migrations);
    this.handle = new Sqlite(file);
    this.durability = options.durability;
    try {
      this.handle.pragma(`page_size = ${PAGE_BYTES}`);
      this.handle.pragma("journal_mode = WAL");
      // Foreign keys are declared for validating imported documents. Handlers check references themselves.
      this.handle.pragma("foreign_keys = OFF");
      // A commit survives a killed process; sync() makes it survive power loss, off the event loop.
      this.handle.pragma(`synchronous = ${options.durability === "full" ? "NORMAL" : "OFF"}`);
      this.handle.pragma("busy_timeout = 2000");
      this.handle.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.handle.function("folded", { deterministic: true }, (text) =>
        typeof text === "string" ? foldCase(text) : null,
      );
      migrate(this.handle, migrations);
      this.#epoch = new SettingsStore(this).get("epoch");
    } catch (error) {
      this.handle.close();
      throw error;
    }
  }

  /** Creation time of the world, in milliseconds since 1970. */
  get epoch(): number {
    return this.#epoch;
  }

  set epoch(at: number) {
    this.#epoch = at;
    new SettingsStore(this).set("epoch", at);
  }

  /**
   * Number of the newest feed entry, or the number before the first one. Numbers count microseconds from when the file
   * was opened. So numbers of deleted rows, of an earlier world with the same name and from before a crash are never
   * reused.
   */
  get lastSeq(): number {
    if (this.#last === undefined) {
      const settings = new SettingsStore(this);
      const highestDeleted = Math.max(settings.get("log_trimmed"), settings.get("log_restored"));
      const newestStored = this.get<{ seq: number }>(LAST)?.seq ?? 0;
      this.#last = Math.max(newestStored, highestDeleted, realTime() * NUMBERS_PER_MILLISECOND);
    }
    return this.#last;
  }

  /** Allocates a number for a new row. A rollback doesn't return it to the sequence. */
  nextSeq(): number {
    const next = this.lastSeq + 1;
    this.#last = next;
    return next;
  }

  /** Smallest cursor that belongs to this world. Readers with an earlier one must start over. */
  get firstSeq(): number {
    return this.#epoch * NUMBERS_PER_MILLISECOND;
  }

  sql(text: string): Sqlite.Statement {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.handle.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  get<Row>(text: string, ...parameters: unknown[]): Row | undefined {
    return this.sql(text).get(...parameters) as Row | undefined;
  }

  all<Row>(text: string, ...parameters: unknown[]): Row[] {
    return this.sql(text).all(...parameters) as Row[];
  }

  /** Runs a write. @returns the inserted rowid and the number of changed rows */
  run(text: string, ...parameters: unknown[]): { readonly rowid: number; readonly changes: number } {
    const { lastInsertRowid, changes } = this.sql(text).run(...parameters);
    return { rowid: Number(lastInsertRowid), changes };
  }

  /** Inserts a row given by column name; booleans become 1 and 0. @returns its rowid */
  insert(table: string, row: Readonly<Record<string, unknown>>): number {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    return this.run(sql, ...stored(row)).rowid;
  }

  update(table: string, seq: number, changes: Readonly<Record<string, unknown>>): void {
    const columns = Object.keys(changes).map((column) => `${column} = ?`);
    this.run(`UPDATE ${table} SET ${columns.join(", ")} WHERE seq = ?`, ...stored(changes), seq);
  }

  tables(): string[] {
    return this.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name);
  }

  /** Size of the used pages, without the free list. */
  usedBytes(): number {
    const found = this.get<{ bytes: number }>(
      "SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
    );
    return found?.bytes ?? 0;
  }

  /** Runs SQLite's quick check, which reads the whole file. */
  isSound(): boolean {
    return this.handle.pragma("quick_check(1)", { simple: true }) === "ok";
  }

  /** Converts milliseconds since 1970 to the stored distance from the epoch. */
  toStored(at: number): number;
  toStored(at: number | null): number | null;
  toStored(at: number | null): number | null {
    return at === null ? null : Math.round(at) - this.#epoch;
  }

  /** Converts a stored time to milliseconds since 1970. */
  fromStored(at: number): number;
  fromStored(at: number | null): number | null;
  fromStored(at: number | null): number | null {
    return at === null ? null : at + this.#epoch;
  }

  /** Bytes of the WAL not yet checkpointed. The WAL file itself doesn't shrink. */
  unfoldedBytes(): number {
    const [state] = this.handle.pragma("wal_checkpoint(NOOP)") as { log: number; checkpointed: number }[];
    return state === undefined ? 0 : (state.log - state.checkpointed) * PAGE_BYTES;
  }

  /**
   * Resolves when every commit so far is on disk; undefined if durability is `off`. SQLite itself syncs the WAL header
   * and the folder when it creates the WAL.
   */
  sync(): Promise<void> | undefined {
    if (this.durability === "off") return undefined;
    this.#log ??= fs.openSync(`${this.handle.name}-wal`, "r+");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    fs.fdatasync(this.#log, (error) => (error ? reject(error) : resolve()));
    this.#syncing = Promise.allSettled([this.#syncing, promise]).then(() => undefined);
    return promise;
  }

  /** Checkpoints and closes the file. No `-wal` file remains. */
  close(): void {
    this.#end();
    this.handle.close();
  }

  /**
   * Closes without a checkpoint. After a failed sync, memory may hold WAL pages that the disk doesn't have, and they
   * must not reach the main file.
   */
  abandon(): void {
    if (!this.handle.open) return;
    this.#end();
    // SQLite checkpoints when the last connection closes. A read-only last connection can't.
    const last = new Sqlite(this.handle.name, { readonly: true });
    last.prepare("SELECT 1 FROM sqlite_schema").get();
    this.handle.close();
    last.close();
  }

  #end(): void {
    const log = this.#log;
    this.#log = null;
    // Waits for a running sync: after the close, the descriptor's number may belong to another file.
    if (log !== null) void this.#syncing.then(() => fs.closeSync(log));
  }
}
