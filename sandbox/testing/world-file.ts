import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { DEFAULT_WORLD, worldFileName } from "../rules/worlds/world-name.ts";
import { temporaryFolder } from "./harness.ts";

/**
 * Reads a world's file beside the service that has it open in this process, for what cannot be seen over HTTP. The
 * service locks the file, so a copy is read; nothing is written while it is made, as both run on one thread.
 */
export const readWorld = <T>(folder: string, read: (file: Sqlite.Database) => T, world = DEFAULT_WORLD): T => {
  const copies = temporaryFolder();
  const name = worldFileName(world);
  for (const file of [name, `${name}-wal`]) {
    const from = path.join(folder, "worlds", file);
    if (fs.existsSync(from)) fs.copyFileSync(from, path.join(copies, file));
  }
  // Not to be written back into one file when it is closed, which is what would take time.
  const copy = new Sqlite(path.join(copies, name), { readonly: true });
  try {
    return read(copy);
  } finally {
    copy.close();
    fs.rmSync(copies, { recursive: true });
  }
};
