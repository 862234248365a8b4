import fs from "node:fs";
import Sqlite from "better-sqlite3";
import { migrations } from "./migrations/index.ts";

/** The file was written by a newer version of this program; it is left untouched. */
export class NewerDataError extends Error {
  constructor(file: string, version: number) {
    super(
      `${file} was written by a newer version of Integrations Explorer (data version ${version}, this program knows ${migrations.length}). ` +
        "Update Integrations Explorer, or choose another data folder.",
    );
    this.name = "NewerDataError";
  }
}

export interface OpenOptions {
  /** `full`: a commit is on disk when it returns. `off`: for files nobody keeps. */
  readonly durability: "full" | "off";
}

const version = (handle: Sqlite.Database): number => Number(handle.pragma("user_version", { simple: true }));

/** Runs the migrations a file has not seen, all or none. @throws NewerDataError */
export const migrate = (handle: Sqlite.Database, steps: readonly string[] = migrations): void => {
  const from = version(handle);
  if (from > steps.length) throw new NewerDataError(handle.name, from);
  if (from === steps.length) return;
  handle.transaction(() => {
    for (const step of steps.slice(from)) handle.exec(step);
    handle.pragma(`user_version = ${steps.length}`);
  })();
};

const MAGIC = "SQLite format 3\0";
const USER_VERSION_AT = 60;

/** The version in a file's header: all there is to know of it while no log lies beside it. */
const headerVersion = (file: string): number => {
  const descriptor = fs.openSync(file, "r");
  const bytes = Buffer.alloc(USER_VERSION_AT + 4);
  fs.readSync(descriptor, bytes, 0, bytes.length, 0);
  fs.closeSync(descriptor);
  return bytes.toString("latin1", 0, MAGIC.length) === MAGIC ? bytes.readUInt32BE(USER_VERSION_AT) : 0;
};

const loggedVersion = (file: string): number => {
  const handle = new Sqlite(file, { readonly: true, timeout: 0 });
  try {
    return version(handle);
  } finally {
    handle.close();
  }
};

/**
 * The version of a file, without touching it. Opening one for writing, and even closing it again, would fold its log
 * into it or leave a new one beside it. 0 for a file that is not there or is no database.
 */
export const fileVersion = (file: string): number => {
  if (!fs.existsSync(file)) return 0;
  return fs.existsSync(`${file}-wal`) ? loggedVersion(file) : headerVersion(file);
};

/** @throws NewerDataError */
export const refuseNewer = (file: string): void => {
  const found = fileVersion(file);
  if (found > migrations.length) throw new NewerDataError(file, found);
};

/**
 * How long the log of changes grows before they are folded into the file: 32 MiB. Folding waits for the disk, and under
 * load, at SQLite's own thousand pages, it takes as long as all the commits between.
 */
const CHECKPOINT_PAGES = 8_000;

/**
 * One world's file: a connection with every statement prepared once, on first use, because a world is opened far
 * more often than all its statements are needed.
 */
export class Database {
  readonly handle: Sqlite.Database;
  readonly #durable: boolean;
  #writes = 0;
  readonly #statements = new Map<string, Sqlite.Statement>();
  #epoch = 0;
  #settled = false;

  constructor(file: string, options: OpenOptions) {
    refuseNewer(file);
    const copied = fs.existsSync(file);
    this.handle = new Sqlite(file);
    this.#durable = options.durability === "full";
    try {
      // The data folder belongs to one process: without locks to ask for, a read makes no system call.
      this.handle.pragma("locking_mode = EXCLUSIVE");
      this.handle.pragma("journal_mode = WAL");
      this.handle.pragma(`synchronous = ${options.durability === "full" ? "FULL" : "OFF"}`);
      this.handle.pragma("busy_timeout = 2000");
      this.handle.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      migrate(this.handle);
      const known = this.all<{ key: string; value: string }>(
        "SELECT key, value FROM meta WHERE key IN ('epoch', 'settled')",
      );
      this.#epoch = Number(known.find(({ key }) => key === "epoch")?.value ?? 0);
      // What SQLite itself makes, it also syncs.
      this.#settled = !copied || known.some(({ key }) => key === "settled");
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
    this.sql(
      "INSERT INTO meta (key, value) VALUES ('epoch', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    ).run(String(at));
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
    this.#writes += 1;
    return { rowid: Number(lastInsertRowid), changes };
  }

  /** Runs an insert that gives way to what is there already, which then is no write. @returns whether it wrote */
  runIfFree(text: string, ...parameters: unknown[]): boolean {
    const { changes } = this.sql(text).run(...parameters);
    if (changes > 0) this.#writes += 1;
    return changes > 0;
  }

  /** How many writes were run on this connection: whether something wrote can be told from it. */
  get writes(): number {
    return this.#writes;
  }

  /** Whether commits return once they are on disk; without, the next one that does takes them along. */
  waitForDisk(wait: boolean): void {
    if (!this.#durable || !this.handle.open) return;
    this.handle.pragma(`synchronous = ${wait ? "FULL" : this.#settled ? "NORMAL" : "OFF"}`);
  }

  /** Whether the file itself is known to be on disk; before, nobody was told that anything in it is kept. */
  get settled(): boolean {
    return this.#settled;
  }

  /**
   * Brings the file itself to the disk, once, before the first commit that waits for it: a log of changes is worth
   * nothing without its base. That it happened is noted in the log, which reaches the disk with that commit.
   */
  settle(): void {
    if (this.#settled) return;
    const note = (key: string): void => {
      this.waitForDisk(false);
      this.run("INSERT INTO meta (key, value) VALUES (?, '1') ON CONFLICT (key) DO NOTHING", key);
      this.waitForDisk(true);
    };
    if (this.#durable) {
      note("settling");
      // Folding the log back into the file is what makes SQLite sync it.
      this.handle.pragma("wal_checkpoint(FULL)");
    }
    note("settled");
    this.#settled = true;
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

  /** Writes everything back into the main file and closes it; no `-wal` file stays behind. */
  close(): void {
    if (!this.handle.open) return;
    this.#statements.clear();
    if (!this.#settled) this.handle.pragma("synchronous = OFF");
    this.handle.close();
  }
}
