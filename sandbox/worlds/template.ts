import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { GivenCredentials } from "../config.ts";
import { Database } from "../storage/database.ts";
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

/** The epoch of a template: zero, in as many digits as milliseconds since 1970 have, so that a date fits in its place. */
export const UNDATED = "0".repeat(13);

/** Identifies the content of a seed. */
export const seedFingerprint = (seed: unknown): string =>
  createHash("sha256").update(JSON.stringify(seed)).digest("hex").slice(0, 12);

/** The seed with the operator's credentials in the place of the documented ones. */
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

/**
 * The file every fresh world is copied from, built once per data folder (D83). Times in it are distances to an epoch
 * of zero; a copy gets its own epoch.
 *
 * @returns the template's path
 */
export const ensureTemplate = (folder: string, given: GivenCredentials | null): string => {
  const owner = given === null ? "demo" : seedFingerprint(given);
  const file = path.join(folder, `template-${migrations.length}-${SEED_VERSION}-${owner}.sqlite`);
  if (fs.existsSync(file)) return file;
  for (const name of fs.readdirSync(folder)) {
    if (/^template-.*\.sqlite/.test(name)) fs.rmSync(path.join(folder, name), { force: true });
  }
  const unfinished = `${file}.new`;
  const db = new Database(unfinished, { durability: "off" });
  db.handle.transaction(() => plantSeed(db, withCredentials(buildSeedWorld(), given)))();
  db.run("INSERT INTO meta (key, value) VALUES ('epoch', ?)", UNDATED);
  db.handle.pragma("wal_checkpoint(TRUNCATE)");
  db.handle.exec("VACUUM");
  db.close();
  // Every fresh world is a copy of it: it must not be half there after a power failure.
  syncFile(unfinished);
  fs.renameSync(unfinished, file);
  return file;
};
