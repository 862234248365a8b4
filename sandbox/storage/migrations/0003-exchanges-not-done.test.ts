import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("finds the refused calls of an operation in their own index", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, 2));
  const insert = handle.prepare(
    "INSERT INTO requests (id, at, method, path, operation, status, duration_ms, request_headers, request_body, " +
      "response_headers, response_body, outcome, events, body_masked) " +
      "VALUES (?, 0, 'POST', '/', ?, ?, 1, '[]', x'', '[]', x'', '', 0, 0)",
  );
  insert.run("one", "repairer.jobs.insert", 200);
  insert.run("two", "repairer.jobs.get", 200);
  insert.run("three", "repairer.jobs.insert", 422);
  migrate(handle, migrations.slice(0, 3));
  const of = "SELECT seq FROM requests WHERE operation = 'repairer.jobs.insert' AND status <> 200";
  expect(handle.prepare(of).pluck().all()).toEqual([3]);
  const plan = handle.prepare(`EXPLAIN QUERY PLAN ${of}`).all() as { readonly detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual(["SEARCH requests USING INDEX requests_not_done (operation=?)"]);
});
