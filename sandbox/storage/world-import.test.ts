import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { Database } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import { exportFile, exportTables } from "./world-export.ts";
import { importTables } from "./world-import.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const asIs = (text: string): string => text;

/** A world's file as the first version wrote it. */
const firstVersion = (): Sqlite.Database => {
  const handle = new Sqlite(":memory:");
  handle.exec(fs.readFileSync(path.join(import.meta.dirname, "migrations", "fixtures", "version-1.sql"), "utf8"));
  return handle;
};
const contentOf = (file: string) => {
  const { tables } = exportFile(file, true);
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows.filter(([key]) => key !== "log_trimmed")]));
};

it("a document of an earlier version becomes what its file becomes when this version opens it", () => {
  const first = firstVersion();
  const opened = path.join(folder, "opened.sqlite");
  fs.writeFileSync(opened, first.serialize());
  new Database(opened, { durability: "off" }).close();
  const document = exportTables(first, true);
  expect(document.data_version).toBe(1);
  const imported = path.join(folder, "imported.sqlite");
  importTables(imported, JSON.parse(JSON.stringify(document)) as typeof document, asIs);
  expect(contentOf(imported)).toEqual(contentOf(opened));
  expect(exportFile(imported, true).data_version).toBe(migrations.length);
});

it("bytes that are no text come back as they were", () => {
  const first = firstVersion();
  const bytes = Buffer.from([0, 255, 254, 10]);
  expect(first.prepare("UPDATE requests SET request_body = ?").run(bytes).changes).toBeGreaterThan(0);
  const document = exportTables(first, false);
  const imported = path.join(folder, "bytes.sqlite");
  importTables(imported, JSON.parse(JSON.stringify(document)) as typeof document, asIs);
  const handle = new Sqlite(imported);
  expect(handle.prepare("SELECT request_body FROM requests LIMIT 1").pluck().get()).toEqual(bytes);
  handle.close();
});
