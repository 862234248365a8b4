import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("indexes exchanges by words, and removes deleted ones from the index", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, 6));
  const insert = handle.prepare(
    "INSERT INTO requests (id, at, method, path, status, duration_ms, request_headers, request_body, " +
      "response_headers, response_body, outcome, events, body_masked) " +
      "VALUES (?, 0, 'POST', '/', 200, 1, '[]', x'', '[]', x'', '', 0, 0)",
  );
  for (const id of ["one", "two"]) insert.run(id);
  migrate(handle, migrations.slice(0, 7));
  handle.exec("INSERT INTO requests_search (rowid, words) VALUES (1, 'ÄRGER 12'), (2, 'ÄRGER 13')");
  const found = handle.prepare(`SELECT rowid FROM requests_search WHERE requests_search MATCH '"ÄRG"*'`).pluck();
  expect(found.all()).toEqual([1, 2]);
  handle.exec("DELETE FROM requests WHERE id = 'one'");
  expect(found.all()).toEqual([2]);
  expect(handle.prepare("SELECT id FROM requests_search_docsize").pluck().all()).toEqual([2]);
});
