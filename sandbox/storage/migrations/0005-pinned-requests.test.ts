import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("pins no existing exchange, and finds pinned ones in their own index", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, 4));
  const insert = handle.prepare(
    "INSERT INTO requests (id, at, method, path, status, duration_ms, request_headers, request_body, " +
      "response_headers, response_body, outcome, events, body_masked) " +
      "VALUES (?, 0, 'POST', '/', 200, 1, '[]', x'', '[]', x'', '', 0, 0)",
  );
  for (const id of ["one", "two"]) insert.run(id);
  migrate(handle, migrations.slice(0, 5));
  const pinned = "SELECT seq FROM requests WHERE pinned = 1";
  expect(handle.prepare(pinned).all()).toEqual([]);
  handle.exec("UPDATE requests SET pinned = 1 WHERE id = 'two'");
  expect(handle.prepare(pinned).pluck().all()).toEqual([2]);
  const plan = handle.prepare(`EXPLAIN QUERY PLAN ${pinned}`).all() as { readonly detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining("INDEX requests_pinned")]);
});
