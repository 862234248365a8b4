import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { onTestFinished, vi } from "vitest";
import { Database, type OpenOptions } from "../storage/database.ts";
import { Writer } from "../storage/writer.ts";
import { temporaryFolder } from "./harness.ts";

/** Reads a copy of a locked file and its log. */
const readCopy = <T>(file: string, read: (copy: Sqlite.Database) => T): T => {
  const folder = temporaryFolder();
  const copied = path.join(folder, "copy.sqlite");
  for (const suffix of ["", "-wal"]) {
    if (fs.existsSync(file + suffix)) fs.copyFileSync(file + suffix, copied + suffix);
  }
  const copy = new Sqlite(copied, { readonly: true });
  try {
    return read(copy);
  } finally {
    copy.close();
    fs.rmSync(folder, { recursive: true });
  }
};

const MARKS = "SELECT text FROM marks ORDER BY seq";

/** A writer on a file with one table, and a record of its actions. Deleted after the test. */
export const openMarkedFile = (durability: OpenOptions["durability"] = "off") => {
  const folder = temporaryFolder();
  const file = path.join(folder, "world.sqlite");
  const db = new Database(file, { durability });
  onTestFinished(() => {
    db.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  db.handle.exec("CREATE TABLE marks (seq INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)");
  /** Commits, rollbacks and responses in their order. */
  const happened: string[] = [];
  const hooks = {
    committed: vi.fn((_durable: boolean) => void happened.push("committed")),
    undone: vi.fn(() => void happened.push("undone")),
  };
  const statements = vi.spyOn(db, "sql");
  return {
    file,
    db,
    writer: new Writer(db, hooks),
    hooks,
    happened,
    mark: (text: string): number => db.run("INSERT INTO marks (text) VALUES (?)", text).rowid,
    marks: () => db.all<{ text: string }>(MARKS).map((row) => row.text),
    /** Returns the content visible to another process. */
    durable: () => readCopy(file, (copy) => copy.prepare<[], string>(MARKS).pluck().all()),
    /** Returns how often a statement was run. */
    ran: (wanted: string) => statements.mock.calls.filter(([text]) => text === wanted).length,
  };
};

/** Limits a file's growth to a number of pages, like a full disk. */
export const fillDisk = (db: Database, pages: number): void => {
  const used = Number(db.handle.pragma("page_count", { simple: true }));
  db.handle.pragma(`max_page_count = ${used + pages}`);
};

export const freeDisk = (db: Database): void => {
  db.handle.pragma("max_page_count = 1000000");
};

/** Returns a text that needs many pages. */
export const longText = (text: string): string => text.repeat(200_000);
