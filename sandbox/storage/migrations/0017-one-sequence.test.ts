import Sqlite from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../migrate.ts";
import { oneSequence } from "./0017-one-sequence.ts";
import { migrations } from "./index.ts";

const before = migrations.indexOf(oneSequence);
const START = 1_768_000_000_000_000;

it("numbers every row like its log entry, and keeps only other entries in the log", () => {
  const handle = new Sqlite(":memory:");
  onTestFinished(() => void handle.close());
  handle.pragma("foreign_keys = off");
  migrate(handle, migrations.slice(0, before));
  const request = handle.prepare(
    "INSERT INTO requests (id, at, method, path, operation, status, duration_ms, request_headers, request_body, " +
      "response_headers, response_body, outcome, events, body_masked) " +
      "VALUES (?, ?, 'POST', '/', ?, 200, 1, '[]', x'', '[]', x'', ?, 0, 0)",
  );
  request.run("no entry", 1, "repairer.jobs.insert", "inserted");
  request.run("call", 10, "repairer.jobs.insert", "inserted");
  request.run("read", 30, "repairer.jobs.get", "read only");
  const event = handle.prepare(
    "INSERT INTO events (id, event_type, event_timestamp, organization_id, payload, trace_id, job_id, label, announces) " +
      "VALUES (?, 'repairer.jobs', 999, 'o', '{}', 'call', 'j', 'J', 'inserted')",
  );
  event.run("unknown");
  event.run("event");
  handle.exec(`
    INSERT INTO subscriptions (id, integration_id, url, created_at) VALUES ('s', 'i', 'http://127.0.0.1/', 0);
    INSERT INTO deliveries (id, event_seq, message_id, subscription_seq, status, attempts_made, created_at)
      VALUES ('first', 2, 'm', 1, 'delivered', 2, 10), ('second', 2, 'm', 1, 'pending', 0, 10);
    INSERT INTO attempts (delivery_seq, number, started_at, duration_ms, request_headers, request_body, response_headers, response_body, response_truncated)
      VALUES (1, 1, 11, 1, '[]', x'', '[]', x'', 0), (1, 2, 40, 1, '[]', x'', '[]', x'', 0);
  `);
  const entry = handle.prepare("INSERT INTO log (seq, kind, at, trace_id, data) VALUES (?, ?, ?, ?, ?)");
  const delivery = (id: string, attempts_made: number) => JSON.stringify({ id, attempts_made });
  entry.run(START + 1, "state", 20, "call", '{"entity":"job"}');
  entry.run(START + 2, "event", 21, "call", '{"id":"event"}');
  entry.run(START + 3, "delivery", 21, "call", delivery("first", 0));
  entry.run(START + 4, "delivery", 21, "call", delivery("second", 0));
  entry.run(START + 5, "request", 22, "call", "null");
  entry.run(START + 6, "delivery", 23, "call", delivery("first", 1));
  // Earlier builds also stored a call's log data.
  entry.run(START + 7, "request", 33, "read", '{"id":"read"}');
  entry.run(START + 8, "delivery", 44, "call", delivery("first", 2));
  entry.run(START + 9, "delivery", 45, "gone", "no JSON");
  entry.run(START + 10, "world", 50, null, '{"what":"clock"}');
  const all = (sql: string) => handle.prepare(sql).raw().all();
  const counts = all("SELECT pending, delivered, failed FROM subscriptions");
  migrate(handle, migrations.slice(0, before + 1));
  expect(all("SELECT id, seq FROM requests ORDER BY seq")).toEqual([
    ["no entry", 1],
    ["call", START + 5],
    ["read", START + 7],
  ]);
  expect(all("SELECT id, seq, at FROM events ORDER BY seq")).toEqual([
    ["unknown", 1, 999],
    ["event", START + 2, 21],
  ]);
  expect(all("SELECT id, seq, event_seq FROM deliveries ORDER BY seq")).toEqual([
    ["first", START + 3, START + 2],
    ["second", START + 4, START + 2],
  ]);
  expect(all("SELECT number, seq, delivery_seq FROM attempts ORDER BY seq")).toEqual([
    [1, START + 6, START + 3],
    [2, START + 8, START + 3],
  ]);
  expect(all("SELECT seq, kind FROM log ORDER BY seq")).toEqual([
    [START + 1, "state"],
    [START + 10, "world"],
  ]);
  expect(all("SELECT pending, delivered, failed FROM subscriptions")).toEqual(counts);
  // After the first call is deleted, the next one takes its place.
  expect(all("SELECT * FROM first_calls ORDER BY operation")).toEqual([
    ["repairer.jobs.get", START + 7],
    ["repairer.jobs.insert", 1],
  ]);
  handle.exec("DELETE FROM requests WHERE seq = 1");
  expect(all("SELECT * FROM first_calls ORDER BY operation")).toEqual([
    ["repairer.jobs.get", START + 7],
    ["repairer.jobs.insert", START + 5],
  ]);
});
