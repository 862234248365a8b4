import pg from "pg";
import { StartError } from "../host/start-error.ts";

/** A statement that was not answered for so long is given up, with its connection. */
const PATIENCE_MS = 3_000;
const TABLES_TRIES = 5;

/**
 * What the machines share. A world's `seq` counts what was appended to it, over all its owners; `epoch` counts the owners.
 * Its content is its snapshot, which holds what was appended up to `base_seq`, and the log after that.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS sandbox_settings (key text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE IF NOT EXISTS sandbox_nodes (
    id uuid PRIMARY KEY, address text NOT NULL, version text NOT NULL, beat timestamptz NOT NULL
  );
  CREATE TABLE IF NOT EXISTS sandbox_worlds (
    name text PRIMARY KEY, owner uuid, epoch bigint NOT NULL DEFAULT 0, seq bigint NOT NULL DEFAULT 0,
    base_seq bigint NOT NULL DEFAULT 0, snapshot uuid, claimed_at timestamptz, wanted_by uuid, due_at bigint, entry text
  );
  CREATE INDEX IF NOT EXISTS sandbox_worlds_owner ON sandbox_worlds (owner);
  CREATE INDEX IF NOT EXISTS sandbox_worlds_due ON sandbox_worlds (due_at);
  CREATE TABLE IF NOT EXISTS sandbox_log (
    world text NOT NULL, seq bigint NOT NULL, epoch bigint NOT NULL, pages bytea NOT NULL, PRIMARY KEY (world, seq)
  );
  CREATE TABLE IF NOT EXISTS sandbox_snapshots (
    world text NOT NULL, snapshot uuid NOT NULL, part integer NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (world, snapshot, part)
  );
  CREATE TABLE IF NOT EXISTS sandbox_audit (id bigserial PRIMARY KEY, node uuid NOT NULL, record text NOT NULL);
  CREATE TABLE IF NOT EXISTS sandbox_files (path text PRIMARY KEY, hash text NOT NULL);
  CREATE TABLE IF NOT EXISTS sandbox_blobs (
    hash text NOT NULL, part integer NOT NULL, bytes bytea NOT NULL, stored_at timestamptz NOT NULL,
    PRIMARY KEY (hash, part)
  );
`;

/** The address without its password. */
const shown = (url: string): string => {
  if (!URL.canParse(url)) return "the address";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};

export type Row = Readonly<Record<string, unknown>>;
/** Runs a statement in a transaction that has begun. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** A set of connections to the PostgreSQL database that the machines share. */
export class SharedDatabase {
  readonly #pool: pg.Pool;

  /** @param max connections at once @param troubled is told of one that breaks while nobody uses it */
  constructor(connectionString: string, max: number, troubled: (error: unknown) => void) {
    const patience = {
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      statement_timeout: PATIENCE_MS,
    };
    const about = { keepAlive: true, application_name: "integrations-sandbox" };
    this.#pool = new pg.Pool({ connectionString, max, ...patience, ...about });
    this.#pool.on("error", troubled);
  }

  /** Makes the tables there are not yet. @throws StartError where the database can't be used, or may lose what it has confirmed */
  async prepare(url: string): Promise<void> {
    try {
      const [setting] = await this.run("SHOW synchronous_commit");
      if (["off", "local"].includes(String(setting?.synchronous_commit)))
        throw new Error("its synchronous_commit must be on");
      await this.#makeTables(TABLES_TRIES);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The database of --cluster at ${shown(url)} can't be used: ${reason}. Check the address, and that PostgreSQL runs.`;
      throw new StartError("bad_option", message);
    }
  }

  /** Nodes that start together make the same tables, of which one succeeds. */
  async #makeTables(tries: number): Promise<void> {
    try {
      await this.run(TABLES);
    } catch (error) {
      if (tries === 1) throw error;
      await this.#makeTables(tries - 1);
    }
  }

  /** Runs a statement by itself. @throws also when whether it was carried out is not known */
  async run(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, [...values])).rows;
  }

  async transaction<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // Of a connection that breaks between two statements the next one learns.
    const ignore = (): void => undefined;
    client.on("error", ignore);
    const ask: Ask = async (text, values = []) => (await client.query<Row>(text, [...values])).rows;
    try {
      await ask("BEGIN");
      const result = await work(ask);
      await ask("COMMIT");
      client.off("error", ignore);
      client.release();
      return result;
    } catch (error) {
      // Its end rolls back what it began.
      client.release(true);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
