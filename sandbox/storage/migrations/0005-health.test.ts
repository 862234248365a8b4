import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "../database.ts";
import { migrations } from "./index.ts";

const BEFORE = 4;

/** A file of the version before, with a subscription, one that has ended, and deliveries of both. */
const fileBefore = (): Sqlite.Database => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  migrate(handle, migrations.slice(0, BEFORE));
  handle.exec(`
    INSERT INTO subscriptions (id, integration_id, url, created_at) VALUES
      ('unused', 'i', 'http://127.0.0.1/unused', 1), ('s', 'i', 'http://127.0.0.1/s', 2);
    INSERT INTO events (seq, id, event_type, event_timestamp, organization_id, payload, trace_id, job_id, label, announces) VALUES
      (1, 'e1', 'repairer.jobs', 5, 'o', '{}', 't', 'j', 'T-1', 'inserted'),
      (2, 'e2', 'repairer.jobs', 6, 'o', '{}', 't', 'j', 'T-1', 'updated'),
      (3, 'e3', 'repairer.jobs', 7, 'o', '{}', 't', 'j', 'T-1', 'deleted');
    INSERT INTO drills (id, subscription_id, drill, at, summary, exchanges) VALUES ('drill', 's', 'stale', 1, '{}', '[]');
  `);
  const delivery = handle.prepare(
    "INSERT INTO deliveries (seq, id, event_seq, message_id, integration_id, subscription_id, url, status, attempts_made, next_attempt_at, last_status, last_error, created_at, settled_at, repeats_id) " +
      "VALUES (?, ?, ?, ?, 'i', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const of = (id: string) => [id, `http://127.0.0.1/${id}`];
  delivery.run(3, "waiting", 1, "m1", ...of("s"), "pending", 0, 10, null, null, 10, null, null);
  delivery.run(4, "retrying", 1, "m2", ...of("s"), "pending", 2, 99, 503, null, 11, null, null);
  delivery.run(7, "delivered", 2, "m3", ...of("s"), "delivered", 1, null, 200, null, 12, 40, null);
  delivery.run(8, "again", 2, "m3", ...of("s"), "delivered", 1, null, 200, null, 13, 60, "delivered");
  delivery.run(9, "failed", 2, "m4", ...of("ended"), "failed", 1, null, null, "connection refused", 14, 20, null);
  const attempt = handle.prepare(
    "INSERT INTO attempts (delivery_seq, number, started_at, duration_ms, request_headers, request_body, response_status, response_headers, response_body, response_truncated, error) " +
      "VALUES (?, ?, ?, 1.5, '[]', ?, ?, '[]', ?, 0, NULL)",
  );
  for (const [seq, number] of [
    [4, 1],
    [4, 2],
    [7, 1],
    [8, 1],
    [9, 1],
    // What a subscription that ended once left behind.
    [2, 1],
  ] as const)
    attempt.run(seq, number, seq * 10 + number, Buffer.of(seq, number), number === 1 ? 200 : 503, Buffer.of(255));
  return handle;
};
const migrated = (): Sqlite.Database => {
  const handle = fileBefore();
  migrate(handle, migrations);
  return handle;
};
const all = (handle: Sqlite.Database, sql: string): unknown[] => handle.prepare(sql).raw().all();

describe("the migration to lanes", () => {
  it("keeps every delivery with its place, its state and what its lane says of it", () => {
    const rows = all(
      migrated(),
      "SELECT d.seq, d.id, d.event_seq, d.message_id, l.subscription_id, l.integration_id, l.url, d.state, d.status, d.attempts_made, " +
        "d.created_at, d.next_attempt_at, d.settled_at, d.last_status, d.last_error, d.repeats_id " +
        "FROM deliveries d JOIN lanes l ON l.seq = d.lane ORDER BY d.seq",
    );
    const s = ["s", "i", "http://127.0.0.1/s"];
    const ended = ["ended", "i", "http://127.0.0.1/ended"];
    expect(rows).toEqual([
      [3, "waiting", 1, "m1", ...s, 0, "pending", 0, 10, 10, null, null, null, null],
      [4, "retrying", 1, "m2", ...s, 1, "pending", 2, 11, 99, null, 503, null, null],
      [7, "delivered", 2, "m3", ...s, 2, "delivered", 1, 12, null, 40, 200, null, null],
      [8, "again", 2, "m3", ...s, 2, "delivered", 1, 13, null, 60, 200, null, "delivered"],
      [9, "failed", 2, "m4", ...ended, 3, "failed", 1, 14, null, 20, null, "connection refused", null],
    ]);
  });

  it("counts what there is, for subscriptions that go on, have ended or were never used", () => {
    expect(
      all(
        migrated(),
        "SELECT subscription_id, pending, delivered, failed, last_success_at, paused_at FROM lanes ORDER BY seq",
      ),
    ).toEqual([
      ["unused", 0, 0, 0, null, null],
      ["s", 2, 2, 0, 60, null],
      ["ended", 0, 0, 1, null, null],
    ]);
    expect(all(migrated(), "SELECT id, deliveries FROM events ORDER BY seq")).toEqual([
      ["e1", 2],
      ["e2", 3],
      ["e3", 0],
    ]);
  });

  it("keeps every try of a delivery that is there, in the order of the places", () => {
    expect(
      all(migrated(), "SELECT place, started_at, request_body, response_status FROM attempts ORDER BY place"),
    ).toEqual([
      [4 * 64 + 1, 41, Buffer.of(4, 1), 200],
      [4 * 64 + 2, 42, Buffer.of(4, 2), 503],
      [7 * 64 + 1, 71, Buffer.of(7, 1), 200],
      [8 * 64 + 1, 81, Buffer.of(8, 1), 200],
      [9 * 64 + 1, 91, Buffer.of(9, 1), 200],
    ]);
  });

  it("counts on from there, whatever comes and goes", () => {
    const handle = migrated();
    const counts = () =>
      all(handle, "SELECT pending, delivered, failed FROM lanes WHERE subscription_id = 's'").flat() as number[];
    handle.exec(
      "INSERT INTO deliveries (seq, id, event_seq, message_id, lane, state, attempts_made, created_at) SELECT 10, 'new', 3, 'm5', seq, 0, 0, 15 FROM lanes WHERE subscription_id = 's'",
    );
    expect(counts()).toEqual([3, 2, 0]);
    handle.exec("UPDATE deliveries SET state = 1 WHERE id = 'new'");
    expect(counts()).toEqual([3, 2, 0]);
    handle.exec(
      "UPDATE deliveries SET state = 2 WHERE id = 'new'; UPDATE deliveries SET state = 3 WHERE id = 'waiting'",
    );
    expect(counts()).toEqual([1, 3, 1]);
    handle.exec("DELETE FROM deliveries");
    expect(counts()).toEqual([0, 0, 0]);
    expect(all(handle, "SELECT count(*) FROM attempts")).toEqual([[0]]);
  });

  it("leaves what ends with a subscription as it was", () => {
    const handle = migrated();
    handle.exec("DELETE FROM subscriptions WHERE id = 's'");
    expect(all(handle, "SELECT count(*) FROM drills")).toEqual([[0]]);
    expect(handle.pragma("integrity_check", { simple: true })).toBe("ok");
  });
});
