import fs from "node:fs";
import Sqlite from "better-sqlite3";
import { folded } from "./folded.ts";
import { migrate, refuseOtherVersion } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { realTime } from "./real-time.ts";
import { SettingsStore } from "./settings-store.ts";

export interface OpenOptions {
  /** `full`: what was committed is on disk once {@link Database.sync} resolves. `off`: for files nobody keeps. */
  readonly durability: "full" | "off";
}

/** A call changes about twenty pages, a few bytes of each, and a commit writes all of them: they are small. */
const PAGE_BYTES = 2_048;
/**
 * How long the log of changes may become before a commit folds it into the file: 64 MiB. It waits for the disk, so that
 * an open world's log is folded on a thread before that (world-leases.ts).
 */
const CHECKPOINT_PAGES = 32_000;

/** Every table whose rows are entries of the world's feed: their numbers are given from one sequence. */
export const numbered = ["requests", "events", "deliveries", "attempts", "log"] as const;
const NUMBERS_PER_MILLISECOND = 1_000;
const LAST = `SELECT max(${numbered.map((table) => `coalesce((SELECT max(seq) FROM ${table}), 0)`).join(", ")}) AS seq`;

const stored = (row: Readonly<Record<string, unknown>>): unknown[] =>
  Object.values(row).map((value) => (typeof value === "boolean" ? Number(value) : value));

/**
 * One world's file: a connection with every statement prepared once, on first use, because a world is opened far
 * more often than all its statements are needed.
 */
export class Database {
  readonly handle: Sqlite.Database;
  readonly durability: OpenOptions["durability"];
  readonly #statements = new Map<string, Sqlite.Statement>();
  /** The descriptor of the log of changes, once it was synced. */
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
      // What refers to what is declared for documents, which are checked for it; handlers see to it themselves.
      this.handle.pragma("foreign_keys = OFF");
      // A commit survives the process; that it survives the machine is waited for off the event loop, in sync().
      this.handle.pragma(`synchronous = ${options.durability === "full" ? "NORMAL" : "OFF"}`);
      this.handle.pragma("busy_timeout = 2000");
      this.handle.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.handle.function("folded", { deterministic: true }, (text) =>
        typeof text === "string" ? folded(text) : null,
      );
      migrate(this.handle, migrations);
      this.#epoch = new SettingsStore(this).get("epoch");
    } catch (error) {
      this.handle.close();
      throw error;
    }
  }

  /** Milliseconds since 1970 of the world's creation. */
  get epoch(): number {
    return this.#epoch;
  }

  set epoch(at: number) {
    this.#epoch = at;
    new SettingsStore(this).set("epoch", at);
  }

  /**
   * The number of the newest entry of the feed, or that after which the first will follow. Numbers count microseconds from
   * the moment the file is opened: those given before a crash, or in an earlier world of the same name, are never given
   * again, and neither are those of rows that were deleted.
   */
  get lastSeq(): number {
    if (this.#last === undefined) {
      const settings = new SettingsStore(this);
      const gone = Math.max(settings.get("log_trimmed"), settings.get("log_restored"));
      const kept = this.get<{ seq: number }>(LAST)?.seq ?? 0;
      this.#last = Math.max(kept, gone, realTime() * NUMBERS_PER_MILLISECOND);
    }
    return this.#last;
  }

  /** The number of a row that is about to be written. One that is undone is not given again. */
  nextSeq(): number {
    const next = this.lastSeq + 1;
    this.#last = next;
    return next;
  }

  /** What readers of the feed must have seen to go on without a gap, or something later: before it is another world. */
  get firstSeq(): number {
    return this.#epoch * NUMBERS_PER_MILLISECOND;
  }

  /** The prepared statement of this text. */
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

  /** Runs a write. @returns the rowid it inserted and how many rows it changed */
  run(text: string, ...parameters: unknown[]): { readonly rowid: number; readonly changes: number } {
    const { lastInsertRowid, changes } = this.sql(text).run(...parameters);
    return { rowid: Number(lastInsertRowid), changes };
  }

  /** Inserts a row, its values by the names of their columns; true and false are 1 and 0. @returns its rowid */
  insert(table: string, row: Readonly<Record<string, unknown>>): number {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    return this.run(sql, ...stored(row)).rowid;
  }

  /** Changes columns of the row with a `seq`. */
  update(table: string, seq: number, changes: Readonly<Record<string, unknown>>): void {
    const columns = Object.keys(changes).map((column) => `${column} = ?`);
    this.run(`UPDATE ${table} SET ${columns.join(", ")} WHERE seq = ?`, ...stored(changes), seq);
  }

  /** The names of its tables. */
  tables(): string[] {
    return this.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name);
  }

  /** How much of the file is in use. */
  usedBytes(): number {
    const found = this.get<{ bytes: number }>(
      "SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
    );
    return found?.bytes ?? 0;
  }

  /** Whether the file is whole. Reads all of it. */
  isSound(): boolean {
    return this.handle.pragma("quick_check(1)", { simple: true }) === "ok";
  }

  /** Milliseconds since 1970 as stored, relative to the epoch. */
  toStored(at: number): number;
  toStored(at: number | null): number | null;
  toStored(at: number | null): number | null {
    return at === null ? null : Math.round(at) - this.#epoch;
  }

  /** A stored time in milliseconds since 1970. */
  fromStored(at: number): number;
  fromStored(at: number | null): number | null;
  fromStored(at: number | null): number | null {
    return at === null ? null : at + this.#epoch;
  }

  /** How much of the log of changes is not folded into the file yet. Its own file stays as long as it once was. */
  unfoldedBytes(): number {
    const [state] = this.handle.pragma("wal_checkpoint(NOOP)") as { log: number; checkpointed: number }[];
    return state === undefined ? 0 : (state.log - state.checkpointed) * PAGE_BYTES;
  }

  /**
   * Resolves when everything committed by now is on disk; undefined: nobody keeps the file. The names of file and log are:
   * SQLite syncs the log's head, and its folder, when it begins one.
   */
  sync(): Promise<void> | undefined {
    if (this.durability === "off") return undefined;
    this.#log ??= fs.openSync(`${this.handle.name}-wal`, "r+");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    fs.fdatasync(this.#log, (error) => (error ? reject(error) : resolve()));
    this.#syncing = Promise.allSettled([this.#syncing, promise]).then(() => undefined);
    return promise;
  }

  /** Writes everything back into the main file and closes it; no `-wal` file stays behind. */
  close(): void {
    if (!this.handle.open) return;
    this.#end();
    this.handle.close();
  }

  /**
   * Closes the file and leaves it and its log as they are. Where a sync failed, memory may show pages of the log that the
   * disk does not have: they must not be folded into the file unread.
   */
  abandon(): void {
    if (!this.handle.open) return;
    this.#end();
    // The last connection folds the log when it is closed. One that may not write can't.
    const last = new Sqlite(this.handle.name, { readonly: true });
    last.prepare("SELECT 1 FROM sqlite_schema").get();
    this.handle.close();
    last.close();
  }

  #end(): void {
    this.#statements.clear();
    const log = this.#log;
    this.#log = null;
    // A number that is free may be another file's while a sync is under way.
    if (log !== null) void this.#syncing.then(() => fs.closeSync(log));
  }
}
