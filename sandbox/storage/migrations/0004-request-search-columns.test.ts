import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("keeps existing exchanges as partners' calls of an operation, and finds them by status", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, 3));
  const insert = handle.prepare(
    "INSERT INTO requests (id, at, method, path, status, duration_ms, request_headers, request_body, " +
      "response_headers, response_body, outcome, events, body_masked) " +
      "VALUES (?, 0, 'POST', '/', ?, 1, '[]', x'', '[]', x'', '', 0, 0)",
  );
  for (const [index, status] of [200, 404, 422].entries()) insert.run(index, status);
  migrate(handle, migrations.slice(0, 4));
  expect(handle.prepare("SELECT DISTINCT unrouted, origin FROM requests").all()).toEqual([
    { unrouted: null, origin: null },
  ]);
  const refused = "SELECT seq FROM requests WHERE status >= 400";
  expect(handle.prepare(refused).pluck().all()).toEqual([2, 3]);
  const plan = handle.prepare(`EXPLAIN QUERY PLAN ${refused}`).all() as { readonly detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual([
    "SEARCH requests USING COVERING INDEX requests_by_status (status>?)",
  ]);
});
