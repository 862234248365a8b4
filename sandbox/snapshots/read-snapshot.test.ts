import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { ensureTemplate } from "../worlds/template.ts";
import { restoreWorld } from "./copy-world.ts";
import { exportDocument } from "./export-document.ts";

const folder = temporaryFolder();
let whole = "";
beforeAll(() => {
  whole = ensureTemplate(folder, null);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const sql = (file: string, text: string): void => {
  const handle = new Sqlite(file);
  handle.exec(text);
  handle.close();
};
const damaged = "the file of snapshot a is damaged. Delete the snapshot";
const spoilt: Readonly<Record<string, readonly [(file: string) => void, string]>> = {
  torn: [(file) => fs.truncateSync(file, 20_000), damaged],
  "no database": [(file) => fs.writeFileSync(file, "nothing like a database".repeat(1_000)), damaged],
  empty: [(file) => fs.truncateSync(file, 0), damaged],
  gone: [(file) => fs.rmSync(file), damaged],
  "a folder": [
    (file) => {
      fs.rmSync(file);
      fs.mkdirSync(path.join(file, "inner"), { recursive: true });
    },
    damaged,
  ],
  "without a table": [(file) => sql(file, "DROP TABLE drills"), damaged],
  newer: [
    (file) => sql(file, "PRAGMA user_version = 999"),
    "snapshot a was created by a newer version of Integrations Explorer. Update Integrations Explorer",
  ],
  "of an earlier build": [
    (file) => sql(file, "PRAGMA application_id = 0"),
    "snapshot a was created by an early build of Integrations Explorer and can’t be read. Delete it",
  ],
};

describe.each(Object.entries(spoilt))("a snapshot whose file is %s", (_, [spoil, message]) => {
  const files = () => {
    const place = fs.mkdtempSync(path.join(folder, "snapshot-"));
    const from = path.join(place, "world.sqlite");
    fs.copyFileSync(whole, from);
    spoil(from);
    return { from, to: path.join(place, "made") };
  };
  const refused = expect.objectContaining({ code: "unprocessable", message });

  it("is not restored", () => {
    expect(() => restoreWorld({ ...files(), name: "a" }, () => undefined)).toThrow(refused);
  });

  it("is not exported", () => {
    const about = { version: "1.0.0", exported_at: "", world: "w" };
    const { from, to: copy } = files();
    const work = { from, copy, to: `${copy}.json`, snapshot: "a", media: folder, reveal: true, secrets: [], about };
    expect(() => exportDocument(work, () => undefined)).toThrow(refused);
  });
});
