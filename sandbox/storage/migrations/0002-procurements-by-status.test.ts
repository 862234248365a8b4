import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { migrations } from "./index.ts";

it("finds the last order of a status in the index", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, 1));
  const insert = handle.prepare(
    "INSERT INTO procurements VALUES (NULL, ?, 'j', ?, NULL, 'o', 'b', 'o', 'b', 0, ?, NULL, '{}')",
  );
  for (const [index, status] of ["cancelled", "order_confirmed", "cancelled"].entries())
    insert.run(index, status, index);
  migrate(handle, migrations.slice(0, 2));
  const last = "SELECT max(updated_at) FROM procurements WHERE status = 'cancelled'";
  expect(handle.prepare(last).pluck().get()).toBe(2);
  const plan = handle.prepare(`EXPLAIN QUERY PLAN ${last}`).all() as { readonly detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual([
    "SEARCH procurements USING COVERING INDEX procurements_by_status (status=?)",
  ]);
});
