import type Sqlite from "better-sqlite3";
import type { GivenClient, GivenCredentials } from "../config.ts";
import type { Plan } from "../contract/control/readiness-operations.ts";
import type { Token } from "../contract/control/service-operations.ts";
import { hashSecret } from "../secrets/keys.ts";

/** The pre-loaded credentials and clients of a world. */
export interface WorldKeys {
  readonly credentials: GivenCredentials["credentials"];
  readonly clients: Readonly<Record<"demo" | "no_oauth", Pick<GivenClient, "client_id" | "client_secret">>>;
}
/** Keys of one world instead of the service's. */
export interface OwnKeys {
  readonly credentials: WorldKeys["credentials"];
  readonly secrets: Readonly<Record<keyof WorldKeys["clients"], string>>;
}

export const ACCESS_SCHEMA = `CREATE TABLE tokens (
     id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, name TEXT NOT NULL, world TEXT NOT NULL, scope TEXT NOT NULL,
     created_at INTEGER NOT NULL, expires_at INTEGER, link_until INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE world_keys (world TEXT PRIMARY KEY, keys TEXT NOT NULL) STRICT, WITHOUT ROWID;`;

/** Required checks of each client. */
export const PLANS_SCHEMA = "CREATE TABLE plans (client_id TEXT PRIMARY KEY, plan TEXT NOT NULL) STRICT, WITHOUT ROWID";

/** A world token, or the link that turns into one. Times are milliseconds since 1970. */
export interface TokenRecord extends Readonly<Omit<Token, TokenTime>>, Readonly<Record<TokenTime, number | null>> {
  readonly created_at: number;
}
type TokenTime = "created_at" | "expires_at" | "link_until";

const COLUMNS = "id, name, world, scope, created_at, expires_at, link_until";
const NOT_EXPIRED = "(expires_at IS NULL OR expires_at > :now)";

/** World tokens, keys of single worlds, and plans of required checks. */
export class AccessStore {
  readonly #db: Sqlite.Database;
  readonly #find: Sqlite.Statement<[object], TokenRecord>;

  constructor(db: Sqlite.Database) {
    this.#db = db;
    this.#find = db.prepare(
      `SELECT ${COLUMNS} FROM tokens WHERE hash = :hash AND link_until IS NULL AND ${NOT_EXPIRED}`,
    );
  }

  /** @returns the valid token with this secret */
  find(secret: string, now: number): TokenRecord | undefined {
    return this.#find.get({ hash: hashSecret(secret), now });
  }

  insert(record: TokenRecord, secret: string): void {
    this.#db
      .prepare(
        `INSERT INTO tokens (hash, ${COLUMNS}) VALUES (:hash, :id, :name, :world, :scope, :created_at, :expires_at, :link_until)`,
      )
      .run({ ...record, hash: hashSecret(secret) });
  }

  /** Turns a link into its token, once. @returns undefined if the link was used, has expired or is unknown */
  claim(link: string, secret: string, now: number): TokenRecord | undefined {
    return this.#db
      .prepare<[object], TokenRecord>(
        `UPDATE tokens SET hash = :to, link_until = NULL WHERE hash = :hash AND link_until > :now AND ${NOT_EXPIRED} RETURNING ${COLUMNS}`,
      )
      .get({ hash: hashSecret(link), to: hashSecret(secret), now });
  }

  /** Newest first. @param world null for all worlds */
  list(world: string | null): TokenRecord[] {
    return this.#db
      .prepare<[object], TokenRecord>(
        `SELECT ${COLUMNS} FROM tokens WHERE :world IS NULL OR world = :world ORDER BY created_at DESC, id DESC`,
      )
      .all({ world });
  }

  /** @returns the revoked token; undefined if there was none */
  revoke(id: string): TokenRecord | undefined {
    return this.#db.prepare<[string], TokenRecord>(`DELETE FROM tokens WHERE id = ? RETURNING ${COLUMNS}`).get(id);
  }

  /** @returns the world's own keys; undefined if it uses the service's */
  findKeys(world: string): OwnKeys | undefined {
    const row = this.#db.prepare<[string], { keys: string }>("SELECT keys FROM world_keys WHERE world = ?").get(world);
    return row && (JSON.parse(row.keys) as OwnKeys);
  }

  /** Checks whether any world has or had its own keys. A snapshot of such a world may still contain them. */
  hasKeys(): boolean {
    return this.#db.prepare("SELECT 1 FROM world_keys LIMIT 1").get() !== undefined;
  }

  setKeys(world: string, keys: OwnKeys): void {
    const insert = this.#db.prepare("INSERT OR IGNORE INTO world_keys VALUES (?, ?)");
    insert.run(world, JSON.stringify(keys));
    // The empty name belongs to no world. Its row stays, so hasKeys() remains true after such worlds end.
    insert.run("", "{}");
  }

  /** Deletes all tokens and keys of a world. A later world of that name uses the service's keys. */
  endWorld(world: string): void {
    this.#db.transaction(() => {
      for (const table of ["tokens", "world_keys"]) this.#db.prepare(`DELETE FROM ${table} WHERE world = ?`).run(world);
    })();
  }

  /** Ordered by client ID. */
  plans(): Plan[] {
    return this.#db
      .prepare<[], { client_id: string; plan: string }>("SELECT client_id, plan FROM plans ORDER BY client_id")
      .all()
      .map(({ client_id, plan }) => ({ client_id, ...(JSON.parse(plan) as Omit<Plan, "client_id">) }));
  }

  /** @param plan null removes the plan */
  setPlan(clientId: string, plan: Omit<Plan, "client_id"> | null): void {
    if (plan === null) this.#db.prepare("DELETE FROM plans WHERE client_id = ?").run(clientId);
    else this.#db.prepare("INSERT OR REPLACE INTO plans VALUES (?, ?)").run(clientId, JSON.stringify(plan));
  }

  /** All rows as JSON, by table and key. Equal rows give equal texts. */
  rows(): Map<string, string> {
    const all = (table: string, columns: string, key: string): [string, string][] => {
      const rows = this.#db.prepare<[], Readonly<Record<string, unknown>>>(`SELECT ${columns} FROM ${table}`).all();
      return rows.map((row) => [`${table} ${row[key]}`, JSON.stringify(row)]);
    };
    return new Map([
      ...all("tokens", `hex(hash) AS hash, ${COLUMNS}`, "id"),
      ...all("world_keys", "world, keys", "world"),
      ...all("plans", "client_id, plan", "client_id"),
    ]);
  }

  /** Replaces everything with the {@link rows} of another store. */
  restore(rows: ReadonlyMap<string, string>): void {
    const values = COLUMNS.split(", ").map((column) => `:${column}`);
    const inserts: Readonly<Record<string, Sqlite.Statement | undefined>> = {
      tokens: this.#db.prepare(`INSERT INTO tokens (hash, ${COLUMNS}) VALUES (unhex(:hash), ${values.join(", ")})`),
      world_keys: this.#db.prepare("INSERT INTO world_keys (world, keys) VALUES (:world, :keys)"),
      plans: this.#db.prepare("INSERT INTO plans (client_id, plan) VALUES (:client_id, :plan)"),
    };
    this.#db.transaction(() => {
      this.clear();
      // Rows of a table that only a newer node knows are left out.
      for (const [key, row] of rows) inserts[key.split(" ", 1)[0] ?? ""]?.run(JSON.parse(row));
    })();
  }

  clear(): void {
    this.#db.exec("DELETE FROM tokens; DELETE FROM world_keys; DELETE FROM plans");
  }
}
