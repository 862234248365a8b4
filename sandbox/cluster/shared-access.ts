// Access rights, readiness plans and keys, the same on every node.
import type { ServiceKeys } from "../host/data-folder.ts";
import { registerSecrets } from "../secrets/masking.ts";
import type { AccessStore } from "../storage/access-store.ts";
import { NotDurableError } from "../storage/writer.ts";
import { createQueue, type SharedDatabase } from "./database.ts";

/** Rows of an {@link AccessStore} as JSON, by table and key. */
type Rows = ReadonlyMap<string, string>;

/** Returns the keys of rows that differ or exist on one side only. */
const findChangedKeys = (before: Rows, now: Rows): string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));

/**
 * Three-way merge of local changes into the stored rows. In a conflict the stored row wins.
 *
 * @param known the rows before either change
 * @returns the merged rows, and whether a local change was undone
 */
const merge = (known: Rows, local: Rows, stored: Rows): { readonly rows: Rows; readonly hasConflict: boolean } => {
  const rows = new Map(stored);
  let hasConflict = false;
  for (const key of findChangedKeys(known, local)) {
    const [was, is, other] = [known.get(key), local.get(key), stored.get(key)];
    if (is === other) continue;
    if (other !== was) hasConflict = true;
    else if (is === undefined) rows.delete(key);
    else rows.set(key, is);
  }
  return { rows, hasConflict };
};

const NEXT_VERSION_SQL =
  "UPDATE sandbox_settings SET value = (value::bigint + 1)::text WHERE key = 'access_version' AND value = $1 RETURNING value";
/** Optimistic update: changes all rows if the version is still the one that was read, otherwise none. */
const CHANGE_SQL = `WITH next AS (${NEXT_VERSION_SQL}),
  gone AS (DELETE FROM sandbox_access USING next WHERE sandbox_access.key = ANY ($2)),
  kept AS (INSERT INTO sandbox_access SELECT k, c FROM next, unnest($3::text[], $4::text[]) AS given (k, c)
    ON CONFLICT (key) DO UPDATE SET content = excluded.content)
  SELECT value FROM next`;
const READ_SQL = `SELECT s.value AS version, a.key, a.content FROM sandbox_settings s LEFT JOIN sandbox_access a ON true
  WHERE s.key = 'access_version'`;

interface StoredRows {
  readonly version: string;
  readonly rows: Rows;
}

/** Replicates access rights, readiness plans and keys to every node. */
export class SharedAccess {
  readonly #database: SharedDatabase;
  readonly #access: AccessStore;
  readonly #keys: ServiceKeys;
  /** Rows that were last read or stored; null if unknown: then stored rows replace all local changes. */
  #known: StoredRows | null = null;
  /** Number of times that stored rows undid a local change. */
  #conflicts = 0;
  readonly #enqueue = createQueue();
  /** Queued pull that has not started, shared by all callers until it starts. */
  #nextPull: Promise<number> | null = null;

  /** @param keys updated from the settings */
  constructor(database: SharedDatabase, access: AccessStore, keys: ServiceKeys) {
    this.#database = database;
    this.#access = access;
    this.#keys = keys;
  }

  /** Reads changes of other nodes. @returns a token for {@link push} */
  pull(): Promise<number> {
    this.#nextPull ??= this.#enqueue(async () => {
      this.#nextPull = null;
      await this.#takeOver();
      return this.#conflicts;
    });
    return this.#nextPull;
  }

  async #takeOver(): Promise<void> {
    const settings = "SELECT key, value FROM sandbox_settings WHERE key = ANY ($1)";
    const found = await this.#database.run(settings, [["control_token", "upload_key", "access_version"]]);
    const { access_version, control_token, upload_key } = Object.fromEntries(
      found.map(({ key, value }) => [key, value]),
    );
    if (typeof control_token === "string" && typeof upload_key === "string") {
      Object.assign(this.#keys, { control_token, upload_key });
      registerSecrets([control_token, upload_key]);
    }
    const known = this.#known;
    if (known && access_version === known.version) return;
    const read = await this.#database.run(READ_SQL);
    const rows = new Map(
      read.filter(({ key }) => key !== null).map(({ key, content }) => [String(key), String(content)]),
    );
    const taken = known ? merge(known.rows, this.#access.rows(), rows) : { rows, hasConflict: true };
    this.#known = { version: String(read[0]?.version), rows };
    this.#access.restore(taken.rows);
    if (taken.hasConflict) this.#conflicts += 1;
  }

  /**
   * Stores local changes and merges those of other nodes. If two nodes change the same row at the same time, one change
   * is undone, so that a claim link works only once.
   *
   * @param pulled the result of {@link pull} before the change @throws NotDurableError if the change was undone
   */
  push(pulled: number): Promise<void> {
    return this.#enqueue(async () => {
      while (pulled === this.#conflicts) {
        try {
          if (this.#known && (await this.#change(this.#known))) return;
          await this.#takeOver();
        } catch (error) {
          // The outcome is unknown.
          this.#known = null;
          throw error;
        }
      }
      throw new NotDurableError(undefined, "Another node changed this at the same time. Reload and try again.");
    });
  }

  /** Stores local changes. @returns false if another node changed any row since `version` */
  async #change({ version, rows: before }: StoredRows): Promise<boolean> {
    const rows = this.#access.rows();
    const changed = findChangedKeys(before, rows);
    if (changed.length === 0) return true;
    const updated = changed.filter((key) => rows.has(key));
    const deleted = changed.filter((key) => !rows.has(key));
    const [next] = await this.#database.run(CHANGE_SQL, [
      version,
      deleted,
      updated,
      updated.map((key) => rows.get(key)),
    ]);
    if (next) this.#known = { version: String(next.value), rows };
    return next !== undefined;
  }
}
