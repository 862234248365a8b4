import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { onTestFinished } from "vitest";
import { Database } from "../storage/database.ts";

/** Returns a path in a temporary folder, which is deleted after the test. */
export const newFile = (): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "world.sqlite");
};

/** Opens a world's file until the end of the test. */
export const openDatabase = (file = newFile()): Database => {
  const db = new Database(file, { durability: "full" });
  onTestFinished(() => db.close());
  return db;
};

export const schemaVersion = (handle: Sqlite.Database): unknown => handle.pragma("user_version", { simple: true });

export const tableNames = (handle: Sqlite.Database): unknown[] =>
  handle.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();

/** Returns digests of a file and its write-ahead log; undefined for a missing one. */
export const databaseBytes = (file: string) =>
  ["", "-wal"].map((suffix) =>
    fs.existsSync(file + suffix)
      ? createHash("sha256")
          .update(fs.readFileSync(file + suffix))
          .digest("hex")
      : undefined,
  );
