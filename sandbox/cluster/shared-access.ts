import type { ServiceKeys } from "../host/data-folder.ts";
import { maskVerbatim } from "../secrets/masking.ts";
import type { AccessStore } from "../storage/access-store.ts";
import { NotDurableError } from "../storage/writer.ts";
import { inTurn, type SharedDatabase } from "./database.ts";

/** Rows of an {@link AccessStore} as JSON, by the names of their tables and their keys. */
type Rows = ReadonlyMap<string, string>;
type Row = Readonly<Record<string, unknown>>;

const rowsOf = (content: string): Rows => {
  const tables = Object.entries(JSON.parse(content) as Readonly<Record<string, readonly Row[]>>);
  const keyed = ([table, rows]: (typeof tables)[number]) =>
    rows.map((row): [string, string] => [`${table} ${row.id ?? row.world ?? row.client_id}`, JSON.stringify(row)]);
  return new Map(tables.flatMap(keyed));
};

const contentOf = (rows: Rows): string => {
  const of = (table: string) => [...rows].filter(([key]) => key.startsWith(`${table} `)).map(([, row]) => row);
  const tables = ["tokens", "world_keys", "plans"].map((table) => `"${table}":[${of(table)}]`);
  return `{${tables}}`;
};

/** The keys of the rows that are others, or none. */
const changedIn = (before: Rows, now: Rows): string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));

/**
 * Adds to what is stored the rows that were changed here.
 *
 * @param known what was stored before either change
 * @returns and whether a row was changed here and elsewhere: then it is as it is stored
 */
const merge = (known: Rows, here: Rows, stored: Rows): { readonly rows: Rows; readonly isUndone: boolean } => {
  const rows = new Map(stored);
  let isUndone = false;
  for (const key of changedIn(known, here)) {
    const [was, is, other] = [known.get(key), here.get(key), stored.get(key)];
    if (is === other) continue;
    if (other !== was) isUndone = true;
    else if (is === undefined) rows.delete(key);
    else rows.set(key, is);
  }
  return { rows, isUndone };
};

const NEXT =
  "UPDATE sandbox_settings SET value = (value::bigint + 1)::text WHERE key = 'access_version' AND value = $1 RETURNING value";
/** Changes rows where nobody has since a version was read: all of them, or none. */
const CHANGE = `WITH next AS (${NEXT}),
  gone AS (DELETE FROM sandbox_access USING next WHERE sandbox_access.key = ANY ($2)),
  kept AS (INSERT INTO sandbox_access SELECT k, c FROM next, unnest($3::text[], $4::text[]) AS given (k, c)
    ON CONFLICT (key) DO UPDATE SET content = excluded.content)
  SELECT value FROM next`;
const READ = `SELECT s.value AS version, a.key, a.content FROM sandbox_settings s LEFT JOIN sandbox_access a ON true
  WHERE s.key = 'access_version'`;

interface Known {
  readonly version: string;
  readonly rows: Rows;
}

/** Who may use which world, and what makes a client ready: a row each, the same on every node, as the keys are. */
export class SharedAccess {
  readonly #database: SharedDatabase;
  readonly #access: AccessStore;
  readonly #keys: ServiceKeys;
  /** As they were taken over or stored last; null: what is stored counts, whatever was changed here. */
  #known: Known | null = null;
  /** How often what is stored took the place of something that was changed here. */
  #undone = 0;
  readonly #inTurn = inTurn();
  /** The look that has not begun yet: it serves all who ask until then. */
  #look: Promise<number> | null = null;

  /** @param keys become what the settings say */
  constructor(database: SharedDatabase, access: AccessStore, keys: ServiceKeys) {
    this.#database = database;
    this.#access = access;
    this.#keys = keys;
  }

  /** Takes over what other nodes changed. @returns for {@link push} */
  pull(): Promise<number> {
    this.#look ??= this.#inTurn(async () => {
      this.#look = null;
      await this.#takeOver();
      return this.#undone;
    });
    return this.#look;
  }

  async #takeOver(): Promise<void> {
    const settings = "SELECT key, value FROM sandbox_settings WHERE key = ANY ($1)";
    const found = await this.#database.run(settings, [["control_token", "upload_key", "access_version"]]);
    const { access_version, control_token, upload_key } = Object.fromEntries(
      found.map(({ key, value }) => [key, value]),
    );
    if (typeof control_token === "string" && typeof upload_key === "string") {
      Object.assign(this.#keys, { control_token, upload_key });
      maskVerbatim([control_token, upload_key]);
    }
    const known = this.#known;
    // They are read only if there is another version of them.
    if (known && access_version === known.version) return;
    const read = await this.#database.run(READ);
    const rows = new Map(
      read.filter(({ key }) => key !== null).map(({ key, content }) => [String(key), String(content)]),
    );
    const taken = known ? merge(known.rows, rowsOf(this.#access.content()), rows) : { rows, isUndone: true };
    this.#known = { version: String(read[0]?.version), rows };
    this.#access.restore(contentOf(taken.rows));
    if (taken.isUndone) this.#undone += 1;
  }

  /**
   * Stores what was changed here, beside what other nodes changed. Of two that change the same row at once, one has it
   * undone: a link is good once.
   *
   * @param pulled what {@link pull} said before the change @throws NotDurableError where it was undone
   */
  push(pulled: number): Promise<void> {
    return this.#inTurn(async () => {
      while (pulled === this.#undone) {
        try {
          if (this.#known && (await this.#change(this.#known))) return;
          await this.#takeOver();
        } catch (error) {
          // Nobody knows whether it is stored.
          this.#known = null;
          throw error;
        }
      }
      throw new NotDurableError(undefined, "Another node changed this at the same time. Reload and try again.");
    });
  }

  /** @returns whether what was changed here is stored: nobody else has changed any of it meanwhile */
  async #change({ version, rows: before }: Known): Promise<boolean> {
    const rows = rowsOf(this.#access.content());
    const changed = changedIn(before, rows);
    if (changed.length === 0) return true;
    const kept = changed.filter((key) => rows.has(key));
    const gone = changed.filter((key) => !rows.has(key));
    const [next] = await this.#database.run(CHANGE, [version, gone, kept, kept.map((key) => rows.get(key))]);
    if (next) this.#known = { version: String(next.value), rows };
    return next !== undefined;
  }
}
