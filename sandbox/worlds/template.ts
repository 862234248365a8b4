import fs from "node:fs";
import path from "node:path";
import { Database } from "../storage/database.ts";
import { migrations } from "../storage/migrations/index.ts";
import { plantSeed } from "./plant-seed.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";

/** Raise it with every change of the seed: a template of another version is never copied. */
export const SEED_VERSION = 1;

/**
 * The file every fresh world is copied from, built once per data folder (D83). Times in it are distances to an epoch
 * of zero; a copy gets its own epoch.
 *
 * @returns the template's path
 */
export const ensureTemplate = (folder: string): string => {
  const file = path.join(folder, `template-${migrations.length}-${SEED_VERSION}.sqlite`);
  if (fs.existsSync(file)) return file;
  for (const name of fs.readdirSync(folder)) {
    if (/^template-.*\.sqlite/.test(name)) fs.rmSync(path.join(folder, name), { force: true });
  }
  const unfinished = `${file}.new`;
  const db = new Database(unfinished, { durability: "off" });
  db.handle.transaction(() => plantSeed(db, buildSeedWorld()))();
  db.handle.pragma("wal_checkpoint(TRUNCATE)");
  db.handle.exec("VACUUM");
  db.close();
  fs.renameSync(unfinished, file);
  return file;
};
