import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { actsTable } from "./0019-acts-table.ts";
import { migrations } from "./index.ts";

const before = migrations.indexOf(actsTable);

it("keeps existing jobs, with zero responses of test values", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, before));
  handle.exec(
    "INSERT INTO jobs (id, organization_id, repairer_site_id, has_vehicle, images, created_at, updated_at) VALUES ('j', 'o', 's', 0, '[]', 0, 0)",
  );
  migrate(handle, migrations.slice(0, before + 1));
  expect(handle.prepare("SELECT id, test_answers FROM jobs").all()).toEqual([{ id: "j", test_answers: 0 }]);
  expect(handle.prepare("SELECT count(*) FROM acts").pluck().get()).toBe(0);
});

it("finds due acts by an index", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, before + 1));
  const plan = handle.prepare(
    "EXPLAIN QUERY PLAN SELECT * FROM acts WHERE ended_at IS NULL AND due_at <= 5 ORDER BY due_at, seq",
  );
  expect(JSON.stringify(plan.all())).toContain("acts_due");
  expect(JSON.stringify(plan.all())).not.toContain("TEMP B-TREE");
});
