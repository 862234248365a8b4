import type Sqlite from "better-sqlite3";

/** Earlier versions stored a closed world's integrations as JSON without secrets; the last statement migrates them. */
export const INTEGRATIONS_SCHEMA = `CREATE TABLE integrations (
     integration_id TEXT NOT NULL, world TEXT NOT NULL, webhook_secret TEXT, PRIMARY KEY (integration_id, world)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX integrations_world ON integrations (world);
   INSERT INTO integrations SELECT value, name, NULL FROM worlds, json_each(closed, '$.installed');`;

export interface Integration {
  readonly integration_id: string;
  readonly webhook_secret: string;
}

export interface FoundIntegration {
  readonly world: string;
  readonly webhook_secret: string;
}

/**
 * Finds an integration's world without opening any. Pre-loaded integrations are in every world, so they are not listed.
 */
export class IntegrationsStore {
  readonly #db: Sqlite.Database;
  readonly #find: Sqlite.Statement<[string, string], { world: string; webhook_secret: string | null }>;
  readonly #of: Sqlite.Statement<[string], Integration>;
  readonly #add: Sqlite.Statement<[string, string, string]>;
  readonly #deleteAll: Sqlite.Statement<[string]>;

  constructor(db: Sqlite.Database) {
    this.#db = db;
    this.#find = db.prepare(
      "SELECT world, webhook_secret FROM integrations WHERE integration_id = ? ORDER BY world = ? DESC, world",
    );
    this.#of = db.prepare(
      "SELECT integration_id, webhook_secret FROM integrations WHERE world = ? ORDER BY integration_id",
    );
    this.#add = db.prepare("INSERT OR REPLACE INTO integrations VALUES (?, ?, ?)");
    this.#deleteAll = db.prepare("DELETE FROM integrations WHERE world = ?");
  }

  /** A null secret is stored only in the world. @param first world to prefer if several have the integration */
  find(id: string, first: string): { readonly world: string; readonly webhook_secret: string | null } | undefined {
    return this.#find.get(id, first);
  }

  list(world: string): Integration[] {
    return this.#of.all(world);
  }

  /** Call before the world commits. An ID that is then rolled back was never given out. */
  add(world: string, { integration_id, webhook_secret }: Integration): void {
    this.#add.run(integration_id, world, webhook_secret);
  }

  /** @param all every integration of the world */
  replace(world: string, all: readonly Integration[]): void {
    const text = (ones: readonly Integration[]): string =>
      JSON.stringify(ones.map(({ integration_id, webhook_secret }) => [integration_id, webhook_secret]).sort());
    if (text(this.list(world)) === text(all)) return;
    this.#db.transaction(() => {
      this.#deleteAll.run(world);
      for (const one of all) this.add(world, one);
    })();
  }

  /** Deletes worlds that no longer exist. */
  keepOnly(exists: (world: string) => boolean): void {
    const worlds = this.#db.prepare<[], string>("SELECT DISTINCT world FROM integrations").pluck().all();
    for (const world of worlds) if (!exists(world)) this.#deleteAll.run(world);
  }
}
