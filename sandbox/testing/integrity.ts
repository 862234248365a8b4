import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";

const ENDING = ".sqlite";

/**
 * Runs SQLite's integrity check on each database in an unused folder. @returns the first problem; null when there is at
 * least one database and none is damaged
 */
export const integrityFault = (folder: string): string | null => {
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ENDING));
  for (const name of names) {
    try {
      const db = new Sqlite(path.join(folder, name), { readonly: true });
      const verdict: unknown = db.pragma("integrity_check", { simple: true });
      db.close();
      if (verdict !== "ok") return `${name} is damaged: ${verdict}`;
    } catch (error) {
      return `${name} is damaged: ${error}`;
    }
  }
  return names.length > 0 ? null : `${folder} has no database.`;
};
