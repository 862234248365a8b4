import type { AccessStore } from "../storage/access-store.ts";
import type { SharedDatabase } from "./database.ts";

const KEY = "access";
/** Whoever tries secrets has the database asked so often at most. */
const PULLED_LATELY_MS = 200;

/** Who may use which world: the same on every node. */
export class SharedAccess {
  readonly #database: SharedDatabase;
  readonly #access: AccessStore;
  #known = "";
  #pulledAt = 0;

  constructor(database: SharedDatabase, access: AccessStore) {
    this.#database = database;
    this.#access = access;
  }

  /** Whether a secret is known here; of one that is not, another node may know. */
  async knows(secret: string): Promise<boolean> {
    if (this.#access.find(secret, Date.now())) return true;
    if (Date.now() - this.#pulledAt > PULLED_LATELY_MS) await this.pull();
    return this.#access.find(secret, Date.now()) !== undefined;
  }

  /** Takes over what other nodes changed. */
  async pull(): Promise<void> {
    this.#pulledAt = Date.now();
    const [row] = await this.#database.run("SELECT value FROM sandbox_settings WHERE key = $1", [KEY]);
    this.#takeOver(row?.value);
  }

  #takeOver(value: unknown): void {
    if (typeof value !== "string" || value === this.#known) return;
    this.#access.restore(value);
    this.#known = value;
  }

  /**
   * Keeps other nodes from changing it meanwhile: of two that use one link at once, one finds it used.
   *
   * @returns stores what was changed since, and lets others go on; a failure has undone it here
   */
  async lock(): Promise<() => Promise<void>> {
    const begun = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const ended = this.#database.transaction(async (ask) => {
      await ask("INSERT INTO sandbox_settings VALUES ($1, $2) ON CONFLICT DO NOTHING", [KEY, this.#access.content()]);
      const [row] = await ask("SELECT value FROM sandbox_settings WHERE key = $1 FOR UPDATE", [KEY]);
      this.#takeOver(row?.value);
      begun.resolve();
      await asked.promise;
      const value = this.#access.content();
      if (value !== row?.value) await ask("UPDATE sandbox_settings SET value = $2 WHERE key = $1", [KEY, value]);
      return value;
    });
    ended.catch(begun.reject);
    await begun.promise;
    return async () => {
      asked.resolve();
      try {
        this.#known = await ended;
      } catch (error) {
        this.#known = "";
        await this.pull();
        throw error;
      }
    };
  }
}
