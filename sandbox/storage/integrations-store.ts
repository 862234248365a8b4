import type Sqlite from "better-sqlite3";

/** Earlier versions noted of a closed world which integrations were installed in it, without their secrets. */
export const INTEGRATIONS_SCHEMA = `CREATE TABLE integrations (
     integration_id TEXT NOT NULL, world TEXT NOT NULL, webhook_secret TEXT, PRIMARY KEY (integration_id, world)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX integrations_world ON integrations (world);
   INSERT INTO integrations SELECT value, name, NULL FROM worlds, json_each(closed, '$.installed');`;

export interface Integration {
  readonly integration_id: string;
  readonly webhook_secret: string;
}

/** In which world an integration is. */
export interface FoundIntegration {
  readonly world: string;
  readonly webhook_secret: string;
}

/** In which world an integration is, without opening any; those that every world has are not in it. */
export class IntegrationsStore {
  readonly #db: Sqlite.Database;
  readonly #find: Sqlite.Statement<[string, string], { world: string; webhook_secret: string | null }>;
  readonly #of: Sqlite.Statement<[string], Integration>;
  readonly #add: Sqlite.Statement<[string, string, string]>;
  readonly #forget: Sqlite.Statement<[string]>;

  constructor(db: Sqlite.Database) {
    this.#db = db;
    this.#find = db.prepare(
      "SELECT world, webhook_secret FROM integrations WHERE integration_id = ? ORDER BY world = ? DESC, world",
    );
    this.#of = db.prepare(
      "SELECT integration_id, webhook_secret FROM integrations WHERE world = ? ORDER BY integration_id",
    );
    this.#add = db.prepare("INSERT OR REPLACE INTO integrations VALUES (?, ?, ?)");
    this.#forget = db.prepare("DELETE FROM integrations WHERE world = ?");
  }

  /** A secret that is null is known to the world alone. @param first the world that is meant where several have it */
  find(id: string, first: string): { readonly world: string; readonly webhook_secret: string | null } | undefined {
    return this.#find.get(id, first);
  }

  of(world: string): Integration[] {
    return this.#of.all(world);
  }

  /** Call before it is committed in the world: an ID that nobody was given is found by nobody. */
  add(world: string, { integration_id, webhook_secret }: Integration): void {
    this.#add.run(integration_id, world, webhook_secret);
  }

  /** @param all there are in the world */
  replace(world: string, all: readonly Integration[]): void {
    const text = (ones: readonly Integration[]): string =>
      JSON.stringify(ones.map(({ integration_id, webhook_secret }) => [integration_id, webhook_secret]).sort());
    if (text(this.of(world)) === text(all)) return;
    this.#db.transaction(() => {
      this.#forget.run(world);
      for (const one of all) this.add(world, one);
    })();
  }

  /** Forgets the worlds that are no more. */
  keepOnly(isThere: (world: string) => boolean): void {
    const worlds = this.#db.prepare<[], string>("SELECT DISTINCT world FROM integrations").pluck().all();
    for (const world of worlds) if (!isThere(world)) this.#forget.run(world);
  }
}
