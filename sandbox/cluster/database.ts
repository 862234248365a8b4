// Connection to the shared PostgreSQL database.
import { Socket } from "node:net";
import pg from "pg";
import { MAX_AUDIT_ENTRIES } from "../contract/control/service-operations.ts";
import { shownDatabase } from "../contract/text.ts";
import { StartError } from "../host/start-error.ts";
import { isLoopbackAddress } from "../rules/webhooks/webhook-url.ts";
import { NotDurableError } from "../storage/writer.ts";
import { AUDIT_KIND, migrate } from "./tables.ts";

/** Timeout of a statement, after which its connection is closed. */
const STATEMENT_TIMEOUT_MS = 3_000;
/** PostgreSQL's code for a full disk. */
const DISK_FULL = "53100";
/** Large contents are split into rows of this size. */
const PART_BYTES = 1024 * 1024;

/** Returns a function that queues tasks and runs them one at a time. */
export const createQueue = (): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};

export type Row = Readonly<Record<string, unknown>>;

/** A statement failed, or its outcome is unknown. The cause is already logged. */
export class DatabaseError extends NotDurableError {
  constructor(cause?: unknown) {
    const isFull = cause instanceof Error && "code" in cause && cause.code === DISK_FULL;
    super(
      undefined,
      isFull
        ? "The database of this sandbox is full, so the change was not stored. Free some space on its disk, then try again."
        : "The database of this sandbox does not respond. Try again in a moment; check first whether a change was made.",
    );
    this.name = "DatabaseError";
  }
}

/** Returns a warning if the connection is to another machine without TLS; otherwise null. */
export const unencrypted = (url: string): string | null => {
  const { host, ssl } = new pg.Client({ connectionString: url });
  if (ssl || host.startsWith("/") || isLoopbackAddress(host)) return null;
  return `The connection to the database at ${shownDatabase(url)} has no TLS: the control token and all keys can be read on the way. Add ?sslmode=verify-full to the address of --cluster.`;
};

/** A connection pool for the PostgreSQL database that the nodes share. */
export class SharedDatabase {
  readonly #pool: pg.Pool;
  readonly #onError: (error: unknown) => void;

  /** @param max largest number of connections @param onError called with each error */
  constructor(connectionString: string, max: number, onError: (error: unknown) => void) {
    const timeouts = { query_timeout: STATEMENT_TIMEOUT_MS, statement_timeout: STATEMENT_TIMEOUT_MS };
    const about = {
      connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      application_name: "integrations-sandbox",
    };
    this.#pool = new pg.Pool({ connectionString, max, ...timeouts, ...about });
    this.#pool.on("error", onError);
    this.#onError = onError;
  }

  /** Migrates the tables. @throws StartError if the database can't be used, or may lose commits that it acknowledged */
  async prepare(url: string): Promise<void> {
    try {
      const { rows } = await this.#pool.query<Row>("SHOW synchronous_commit");
      if (["off", "local"].includes(String(rows[0]?.synchronous_commit)))
        throw new Error("its synchronous_commit must be on");
      const client = await this.#pool.connect();
      await migrate(client).then(
        () => client.release(),
        (error: Error) => {
          client.release(error);
          throw error;
        },
      );
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The database of --cluster at ${shownDatabase(url)} can’t be used: ${reason}. Check the address, and that PostgreSQL runs.`;
      throw new StartError("bad_option", message);
    }
  }

  /** Runs a statement in its own transaction. @throws DatabaseError */
  async run(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(text, [...values])).rows;
    } catch (error) {
      this.#onError(error);
      throw new DatabaseError(error);
    }
  }

  /** Returns this machine's address on the network of the database; null for a Unix socket. */
  async ownAddress(): Promise<string | null> {
    const client = await this.#pool.connect();
    const { stream } = client.connection;
    client.release();
    return stream instanceof Socket ? (stream.localAddress ?? null) : null;
  }

  /** Stores a large content. @param id identifies the content: storing the same content again is harmless */
  async put(id: string, content: Buffer): Promise<void> {
    for (let part = 0; part * PART_BYTES < content.length; part += 1)
      await this.run(
        `INSERT INTO sandbox_blobs (id, part, bytes, stored_at) VALUES ($1, $2, $3, clock_timestamp())
         ON CONFLICT (id, part) DO UPDATE SET stored_at = clock_timestamp()`,
        [id, part, content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)],
      );
  }

  /** Returns a large content; empty if there is none. */
  async get(id: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (;;) {
      const select = "SELECT bytes FROM sandbox_blobs WHERE id = $1 AND part = $2";
      const [row] = await this.run(select, [id, parts.length]);
      if (row) parts.push(row.bytes as Buffer);
      // Only the last part is shorter, so that one needs no further statement.
      if (!row || (row.bytes as Buffer).length < PART_BYTES) return Buffer.concat(parts);
    }
  }

  /** Deletes unused rows. Recent large contents stay, because a file or a world may be about to refer to them. */
  async clear(): Promise<void> {
    // A dead node's worlds are found by its row, so a node with worlds stays.
    const hasWorlds = "SELECT FROM sandbox_worlds WHERE owner = id";
    await this.run(`DELETE FROM sandbox_nodes WHERE beat < now() - interval '1 day' AND NOT EXISTS (${hasWorlds})`);
    const places = `SELECT id, row_number() OVER (PARTITION BY ${AUDIT_KIND} ORDER BY id DESC) AS place FROM sandbox_audit`;
    const old = `SELECT id FROM (${places}) kept WHERE place > $1`;
    await this.run(`DELETE FROM sandbox_audit WHERE id IN (${old})`, [MAX_AUDIT_ENTRIES]);
    await this.run(
      `DELETE FROM sandbox_blobs b WHERE stored_at < now() - interval '1 hour'
       AND NOT EXISTS (SELECT 1 FROM sandbox_files WHERE blob = b.id)
       AND NOT EXISTS (SELECT 1 FROM sandbox_worlds WHERE snapshot = b.id)`,
    );
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
