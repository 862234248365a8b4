import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { FIRST_SINGLE_ROW, textsOfBlocks } from "./0014-texts-of-blocks.ts";
import { migrations } from "./index.ts";

const before = migrations.indexOf(textsOfBlocks);

it("indexes the full blocks of existing jobs, orders and exchanges, and follows changes", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, before));
  const insertJob = handle.prepare(
    "INSERT INTO jobs (id, organization_id, repairer_site_id, job_number, has_vehicle, plate_number, images, created_at, updated_at) " +
      "VALUES (?, 'o', 's', ?, 1, ?, '[]', 0, 0)",
  );
  const insertOrder = handle.prepare(
    "INSERT INTO procurements VALUES (NULL, ?, ?, 'cancelled', ?, 'o', 'b', 'o', 'b', 0, 0, NULL, '{}')",
  );
  const insertCall = handle.prepare(
    "INSERT INTO requests (id, at, method, path, status, duration_ms, request_headers, request_body, " +
      "response_headers, response_body, outcome, events, body_masked) " +
      "VALUES (?, 0, 'POST', '/', 200, 1, '[]', x'', '[]', x'', ?, 0, 0)",
  );
  for (let number = 1; number < 200; number += 1) {
    insertJob.run(`job ${number}`, `J-${number}`, `PLT${number}`);
    insertOrder.run(`order ${number}`, `job ${number}`, `PO-${number}`);
    insertCall.run(`call ${number}`, `said ${number}`);
  }
  migrate(handle, migrations.slice(0, before + 1));
  const found = (list: string, ...pieces: string[]) =>
    handle
      .prepare(`SELECT rowid FROM ${list}_search WHERE ${list}_search MATCH ? ORDER BY rowid`)
      .pluck()
      .all(pieces.map((piece) => `"${piece}"`).join(" AND "));
  expect([found("jobs", "J-7"), found("jobs", "t15", "150"), found("jobs", "J-1")]).toEqual([[0, 1], [2], [0, 1, 2]]);
  expect([found("procurements", "PO-"), found("procurements", "t70")]).toEqual([[0, 1, 2], [1]]);
  expect(found("requests", "sai", "150")).toEqual([2]);
  handle.exec("UPDATE jobs SET plate_number = 'NEW' WHERE seq = 5; UPDATE jobs SET updated_at = 1 WHERE seq = 6");
  expect([found("jobs", "new"), found("procurements", "new")]).toEqual([
    [FIRST_SINGLE_ROW + 5],
    [FIRST_SINGLE_ROW + 5],
  ]);
  handle.exec("DELETE FROM requests WHERE seq BETWEEN 65 AND 127");
  expect(found("requests", "sai")).toEqual([0, 1, 2]);
  handle.exec("DELETE FROM requests WHERE seq = 64");
  expect(found("requests", "sai")).toEqual([0, 2]);
});
