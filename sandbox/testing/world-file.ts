import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { DEFAULT_WORLD, worldFileName } from "../rules/worlds/world-name.ts";
import { temporaryFolder } from "./harness.ts";

/**
 * Reads a world's file while the service in this process has it open, for data that HTTP doesn't show. Reads a copy,
 * because the service locks the file; nothing is written during the copy, as both run on one thread.
 */
export const readWorld = <T>(folder: string, read: (file: Sqlite.Database) => T, world = DEFAULT_WORLD): T => {
  const copies = temporaryFolder();
  const name = worldFileName(world);
  for (const file of [name, `${name}-wal`]) {
    const from = path.join(folder, "worlds", file);
    if (fs.existsSync(from)) fs.copyFileSync(from, path.join(copies, file));
  }
  // Read-only, because closing would otherwise merge the write-ahead log, which takes time.
  const copy = new Sqlite(path.join(copies, name), { readonly: true });
  try {
    return read(copy);
  } finally {
    copy.close();
    fs.rmSync(copies, { recursive: true });
  }
};
