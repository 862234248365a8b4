import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { GivenCredentials } from "../config.ts";
import { Database } from "../storage/database.ts";
import { fileVersion } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { openStores } from "../storage/stores.ts";
import { syncFile } from "../storage/sync.ts";
import { buildSeedWorld, type SeedWorld } from "./seed/seed-world.ts";

/**
 * Start of {@link seedFingerprint}. A test compares it with the seed's content, so every change of the seed changes the
 * version. Templates of other versions are never copied.
 */
export const SEED_VERSION = "6a65d3c9ba7e";

export const seedFingerprint = (seed: unknown): string =>
  createHash("sha256").update(JSON.stringify(seed)).digest("hex").slice(0, 12);

/** The seed with the operator's credentials instead of the documented ones. */
const withCredentials = (seed: SeedWorld, given: GivenCredentials | null): SeedWorld => {
  if (given === null) return seed;
  const [demo, noOauth] = seed.clients;
  return {
    ...seed,
    clients: [
      ...(demo ? [{ ...demo, ...given.clients.demo }] : []),
      ...(noOauth ? [{ ...noOauth, ...given.clients.no_oauth }] : []),
    ],
    credentials: seed.credentials.map((credential) => ({ ...credential, ...given.credentials[credential.scope] })),
  };
};

/** Writes the seed into an empty world whose epoch is zero. */
export const plantSeed = (db: Database, seed: SeedWorld): void => {
  const stores = openStores(db);
  for (const { id, name, scope } of seed.organizations) {
    db.insert("organizations", { id, name, scope });
  }
  for (const business of seed.businesses) {
    db.insert("businesses", { ...business, address: business.address && JSON.stringify(business.address) });
  }
  // Picks the stored fields: an operator's clients and credentials may have more.
  for (const { client_id, name, client_secret, oauth_enabled } of seed.clients)
    db.insert("clients", { client_id, name, client_secret, oauth_enabled });
  for (const { integration_id, api_key, webhook_secret, organization_id, scope } of seed.credentials) {
    const keys = { integration_id, api_key, webhook_secret };
    stores.credentials.insert({ ...keys, organization_id, scope, client_id: null, preloaded: true, created_at: 0 });
  }
  for (const job of seed.jobs) {
    stores.jobs.insert(job);
    for (const part of job.parts) stores.parts.insert(job.id, part);
  }
  for (const procurement of seed.procurements) {
    stores.procurements.insert(procurement);
    for (const item of procurement.source_items) {
      if (item.job_part_id !== null) stores.parts.cover(item.job_part_id, procurement.id);
    }
  }
};

/** A seeded world in memory with epoch zero. */
export const createSeededDatabase = (given: GivenCredentials | null): Database => {
  const db = new Database(":memory:", { durability: "off" });
  db.handle.transaction(() => plantSeed(db, withCredentials(buildSeedWorld(), given)))();
  return db;
};

/**
 * Builds the template that fresh worlds are copied from, once per data folder (D83). Each copy gets its own epoch.
 *
 * @returns the template's path
 */
export const ensureTemplate = (folder: string, given: GivenCredentials | null): string => {
  const owner = given === null ? "demo" : seedFingerprint(given);
  const file = path.join(folder, `template-${migrations.length}-${SEED_VERSION}-${owner}.sqlite`);
  if (fileVersion(file) === migrations.length) return file;
  for (const name of fs.readdirSync(folder)) {
    if (/^template-.*\.sqlite/.test(name)) fs.rmSync(path.join(folder, name), { force: true });
  }
  const unfinished = `${file}.new`;
  const db = createSeededDatabase(given);
  db.handle.prepare("VACUUM INTO ?").run(unfinished);
  db.close();
  // Changing the journal mode waits for the disk, so it happens once here instead of in every copy.
  new Database(unfinished, { durability: "off" }).close();
  // Every fresh world is a copy, so the template must be complete after a power failure.
  syncFile(unfinished);
  fs.renameSync(unfinished, file);
  return file;
};
