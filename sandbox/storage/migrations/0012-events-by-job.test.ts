import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { eventsByJob } from "./0012-events-by-job.ts";
import { migrations } from "./index.ts";

const before = migrations.indexOf(eventsByJob);

it("finds existing events by their job", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, before));
  const insert = handle.prepare(
    "INSERT INTO events (id, event_type, event_timestamp, organization_id, payload, trace_id, job_id, label, announces) " +
      "VALUES (?, 'repairer.jobs', 0, 'o', '{}', 't', ?, 'T-1', 'inserted')",
  );
  for (const [id, job] of Object.entries({ one: "a", two: "b", three: "a" })) insert.run(id, job);
  migrate(handle, migrations.slice(0, before + 1));
  const ofJob = "SELECT id FROM events INDEXED BY events_by_job WHERE job_id = 'a'";
  expect(handle.prepare(ofJob).pluck().all()).toEqual(["one", "three"]);
});
