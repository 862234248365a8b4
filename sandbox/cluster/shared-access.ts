import type { ServiceKeys } from "../host/data-folder.ts";
import { maskVerbatim } from "../secrets.ts";
import type { AccessStore } from "../storage/access-store.ts";
import { NotDurableError } from "../storage/writer.ts";
import { inTurn, type SharedDatabase } from "./database.ts";

/** Who may use which world, and what makes a client ready: one text in the settings, the same on every node, as the keys are. */
export class SharedAccess {
  readonly #database: SharedDatabase;
  readonly #access: AccessStore;
  readonly #keys: ServiceKeys;
  /** As it was taken over or stored last. */
  #known = "";
  /** How often another node's was taken over: what was changed here meanwhile is gone then. */
  #taken = 0;
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
      const rows = await this.#database.run("SELECT key, value FROM sandbox_settings");
      const { access, control_token, upload_key } = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
      if (typeof control_token === "string" && typeof upload_key === "string") {
        Object.assign(this.#keys, { control_token, upload_key });
        maskVerbatim([control_token, upload_key]);
      }
      if (typeof access === "string" && access !== this.#known) {
        this.#known = access;
        this.#access.restore(this.#known);
        this.#taken += 1;
      }
      return this.#taken;
    });
    return this.#look;
  }

  /**
   * Stores what was changed here. Of two nodes that change something at once, one has it undone: a link is good once.
   *
   * @param pulled what {@link pull} said before the change @throws NotDurableError where it was undone
   */
  push(pulled: number): Promise<void> {
    return this.#inTurn(async () => {
      const [known, value] = [this.#known, this.#access.content()];
      if (value === known && pulled === this.#taken) return;
      // Should this fail, what is stored is taken over again.
      this.#known = "";
      const set = "ON CONFLICT (key) DO UPDATE SET value = $1 WHERE s.value = $2 RETURNING key";
      const insert = `INSERT INTO sandbox_settings AS s VALUES ('access', $1) ${set}`;
      const stored = pulled === this.#taken && (await this.#database.run(insert, [value, known])).length > 0;
      if (!stored)
        throw new NotDurableError(undefined, "Another node changed this at the same time. Reload and try again.");
      this.#known = value;
    });
  }
}
