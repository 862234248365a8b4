import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { integrityFault } from "./integrity.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A database with an index over a thousand rows. */
const database = (name: string): string => {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const db = new Sqlite(file);
  db.exec("CREATE TABLE t (a TEXT); CREATE INDEX t_a ON t (a)");
  db.transaction(() => {
    for (let row = 0; row < 1_000; row += 1) db.prepare("INSERT INTO t VALUES (?)").run(`row ${row}`);
  })();
  db.close();
  return file;
};

it("finds whole databases whole, wherever below the folder they lie", () => {
  database("a.sqlite");
  database("worlds/b.sqlite");
  expect(integrityFault(folder)).toBeNull();
});

it("finds the one that is damaged, and names it", () => {
  database("a.sqlite");
  const file = database("worlds/b.sqlite");
  const bytes = fs.readFileSync(file);
  bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 4_096);
  fs.writeFileSync(file, bytes);
  expect(integrityFault(folder)).toMatch(/b\.sqlite is damaged: /);
});

it("does not take a file that is none, or a folder without any, for whole", () => {
  expect(integrityFault(folder)).toContain("has no database");
  fs.writeFileSync(path.join(folder, "c.sqlite"), "x".repeat(8_192));
  expect(integrityFault(folder)).toContain("c.sqlite is damaged");
});
