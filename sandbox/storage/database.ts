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
  const handle = new Sqlite(file, { readonly: true });
  try {
    return version(handle);
  } finally {
    handle.close();
  }
};

/**
 * Looks at a file without touching it. Opening one for writing, and even closing it again, would fold its log into it or
 * leave a new one beside it.
 */
const refuseNewer = (file: string): void => {
  if (!fs.existsSync(file)) return;
  const found = fs.existsSync(`${file}-wal`) ? loggedVersion(file) : headerVersion(file);
  if (found > migrations.length) throw new NewerDataError(file, found);
};

/**
 * One world's file: a connection with every statement prepared once, on first use, because a world is opened far
 * more often than all its statements are needed.
 */
export class Database {
  readonly handle: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();
  #epoch = 0;

  constructor(file: string, options: OpenOptions) {
    refuseNewer(file);
    this.handle = new Sqlite(file);
    try {
      this.handle.pragma("journal_mode = WAL");
      this.handle.pragma(`synchronous = ${options.durability === "full" ? "FULL" : "OFF"}`);
      this.handle.pragma("busy_timeout = 2000");
      migrate(this.handle);
      this.#epoch = Number(this.handle.prepare("SELECT value FROM meta WHERE key = 'epoch'").pluck().get() ?? 0);
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
    return { rowid: Number(lastInsertRowid), changes };
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
    this.handle.close();
  }
}
