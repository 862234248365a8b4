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
 * The head of {@link seedFingerprint}; a test holds it to the seed's content, so that no change of the seed is
 * forgotten. A template of another version is never copied.
 */
export const SEED_VERSION = "6a65d3c9ba7e";

/** Identifies the content of a seed. */
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

/** A world in memory, as the seed says: its epoch is zero, and times in it are distances to that. */
export const seededInMemory = (given: GivenCredentials | null): Database => {
  const db = new Database(":memory:", { durability: "off" });
  db.handle.transaction(() => plantSeed(db, withCredentials(buildSeedWorld(), given)))();
  return db;
};

/**
 * The file every fresh world is copied from, built once per data folder (D83). A copy gets its own epoch.
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
  const db = seededInMemory(given);
  db.handle.prepare("VACUUM INTO ?").run(unfinished);
  db.close();
  // SQLite waits for the disk when it changes how a file keeps its log: here once, instead of in every copy.
  new Database(unfinished, { durability: "off" }).close();
  // Every fresh world is a copy of it: it must not be half there after a power failure.
  syncFile(unfinished);
  fs.renameSync(unfinished, file);
  return file;
};
