import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("drops indexed words, so that all exchanges are reindexed", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, 8));
  handle.exec("INSERT INTO requests_search (rowid, words) VALUES (1, 'one'), (2, 'two')");
  migrate(handle, migrations.slice(0, 9));
  expect(handle.prepare("SELECT id FROM requests_search_docsize").all()).toEqual([]);
  handle.exec("INSERT INTO requests_search (rowid, words) VALUES (1, 'one j 20418')");
  const found = handle.prepare(`SELECT rowid FROM requests_search WHERE requests_search MATCH '"20418"'`).pluck();
  expect(found.all()).toEqual([1]);
});
