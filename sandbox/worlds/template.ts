import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { GivenCredentials } from "../config.ts";
import { Database } from "../storage/database.ts";
import { fileVersion } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import { syncFile } from "../storage/sync.ts";
import { plantSeed } from "./plant-seed.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import type { SeedWorld } from "./seed/types.ts";

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
    if (/^template-.*\.sqlite/.test(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
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
