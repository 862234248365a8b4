import { createHash } from "node:crypto";
import type { ServiceKeys } from "../host/data-folder.ts";
import { maskVerbatim } from "../secrets/masking.ts";
import type { AccessStore } from "../storage/access-store.ts";
import { NotDurableError } from "../storage/writer.ts";
import { inTurn, type SharedDatabase } from "./database.ts";

/** The text of who may use what, while nobody may yet. */
export const NO_ACCESS = JSON.stringify({ tokens: [], world_keys: [], plans: [] });

type Rows = Map<string, Readonly<Record<string, unknown>>>;

/** The rows of a text, by the names of their tables and their keys. */
const rowsOf = (text: string): Rows => {
  const tables = Object.entries(JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, unknown>>[]>>);
  return new Map(
    tables.flatMap(([table, rows]) => rows.map((row) => [`${table} ${row.id ?? row.world ?? row.client_id}`, row])),
  );
};

const textOf = (rows: Rows): string => {
  const of = (table: string) => [...rows].filter(([key]) => key.startsWith(`${table} `)).map(([, row]) => row);
  return JSON.stringify({ tokens: of("tokens"), world_keys: of("world_keys"), plans: of("plans") });
};

/**
 * Adds to what is stored the rows that were changed here.
 *
 * @param known what was stored before either change
 * @returns and whether a row was changed here and elsewhere: then it is as it is stored
 */
const merge = (known: string, here: string, stored: string): { readonly text: string; readonly isUndone: boolean } => {
  const [before, ours, rows] = [rowsOf(known), rowsOf(here), rowsOf(stored)];
  let isUndone = false;
  for (const key of new Set([...before.keys(), ...ours.keys()])) {
    const [was, is, other] = [before, ours, rows].map((of) => JSON.stringify(of.get(key)));
    if (is === was || is === other) continue;
    const row = ours.get(key);
    if (other !== was) isUndone = true;
    else if (row) rows.set(key, row);
    else rows.delete(key);
  }
  return { text: textOf(rows), isUndone };
};

/** Who may use which world, and what makes a client ready: one text in the settings, the same on every node, as the keys are. */
export class SharedAccess {
  readonly #database: SharedDatabase;
  readonly #access: AccessStore;
  readonly #keys: ServiceKeys;
  /** As it was taken over or stored last; null: what is stored counts, whatever was changed here. */
  #known: string | null = null;
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
    // The text is sent only if it is another one.
    const isOther = "key <> 'access' OR sha256(convert_to(value, 'UTF8')) <> $1";
    const select = `SELECT key, value FROM sandbox_settings WHERE ${isOther}`;
    const hash = createHash("sha256").update(this.#known ?? "");
    const rows = await this.#database.run(select, [hash.digest()]);
    const { access, control_token, upload_key } = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    if (typeof control_token === "string" && typeof upload_key === "string") {
      Object.assign(this.#keys, { control_token, upload_key });
      maskVerbatim([control_token, upload_key]);
    }
    if (typeof access !== "string" || access === this.#known) return;
    const known = this.#known;
    const taken = known === null ? { text: access, isUndone: true } : merge(known, this.#access.content(), access);
    this.#known = access;
    this.#access.restore(taken.text);
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
        const [known, value] = [this.#known, this.#access.content()];
        if (value === known) return;
        try {
          const update = "UPDATE sandbox_settings SET value = $1 WHERE key = 'access' AND value = $2 RETURNING key";
          if ((await this.#database.run(update, [value, known])).length > 0) {
            this.#known = value;
            return;
          }
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
}
