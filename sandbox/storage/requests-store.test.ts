import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Database } from "./database.ts";
import { type ExchangeRecord, type RequestFilter, RequestsStore } from "./requests-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
/** In the order of the alphabet where a test says nothing else. */
const placeOf = (id: string): number => id.charCodeAt(0);
const exchange = (id: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  seq: placeOf(id),
  id,
  at: EPOCH + 1_250,
  method: "POST",
  path: "/api/2026-01/repairer.jobs.insert",
  operation: "repairer.jobs.insert",
  integration_id: "integration",
  side: "repairer",
  status: 200,
  error_code: null,
  duration_ms: 1.5,
  request_headers: [
    ["host", "localhost"],
    ["x-twice", "a"],
    ["x-twice", "b"],
  ],
  request_body: Buffer.from('{"a":"ü"}'),
  response_headers: [["content-type", "application/json"]],
  response_body: Buffer.from("{}"),
  outcome: "inserted",
  events: 1,
  job_id: "job",
  procurement_id: null,
  label: "J-1",
  ...more,
});

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = EPOCH;
  const requests = new RequestsStore(db);
  let place = 0;
  const insert = (...ids: string[]): void => {
    for (const id of ids) requests.insert(exchange(id, { seq: ++place }));
  };
  const ids = (filter: Partial<RequestFilter> = {}): string[] =>
    requests.list({ limit: 100, ...filter }).rows.map((row) => row.id);
  return { requests, insert, ids };
};

describe("the log of requests", () => {
  it("gives back an exchange with its headers and bodies, and a row without them", () => {
    const { requests } = open();
    requests.insert(exchange("a"));
    const row = {
      id: "a",
      trace_id: "a",
      at: new Date(EPOCH + 1_250).toISOString(),
      method: "POST",
      path: "/api/2026-01/repairer.jobs.insert",
      operation: "repairer.jobs.insert",
      integration_id: "integration",
      side: "repairer",
      status: 200,
      error_code: null,
      duration_ms: 1.5,
      request_bytes: 10,
      response_bytes: 2,
      outcome: "inserted",
      events: 1,
      job_id: "job",
      procurement_id: null,
      label: "J-1",
    };
    expect(requests.list({ limit: 10 }).rows).toEqual([row]);
    expect(requests.get("a")).toEqual({
      ...row,
      request_headers: exchange("a").request_headers,
      request_body: '{"a":"ü"}',
      request_body_base64: Buffer.from('{"a":"ü"}').toString("base64"),
      response_headers: exchange("a").response_headers,
      response_body: "{}",
      response_body_base64: Buffer.from("{}").toString("base64"),
    });
    expect(requests.ofTrace("a")).toEqual(row);
    expect([requests.get("b"), requests.ofTrace("b")]).toEqual([undefined, undefined]);
  });

  it("lists the newest first", () => {
    const { insert, ids } = open();
    insert("a", "c", "b");
    expect(ids()).toEqual(["b", "c", "a"]);
  });

  it("is paged without gaps or repeats, also while new exchanges arrive", () => {
    const { requests, insert } = open();
    insert("1", "2", "3", "4", "5");
    const first = requests.list({ limit: 2 });
    insert("6");
    const second = requests.list({ limit: 2, beyond: first.last ?? 0 });
    const third = requests.list({ limit: 2, beyond: second.last ?? 0 });
    expect([first, second, third].map((page) => page.rows.map((row) => row.id))).toEqual([
      ["5", "4"],
      ["3", "2"],
      ["1"],
    ]);
    expect([first, second, third].map((page) => page.total)).toEqual([5, 6, 6]);
    expect(third.last).toBeNull();
  });

  it("says on its last page that it is the last, also when that page is full", () => {
    const { requests, insert } = open();
    insert("1", "2", "3", "4");
    const first = requests.list({ limit: 2 });
    expect(first.last).not.toBeNull();
    expect(requests.list({ limit: 2, beyond: first.last ?? 0 }).last).toBeNull();
    expect(requests.list({ limit: 4 }).last).toBeNull();
  });

  it("finds exchanges by job, procurement, path, status and outcome, and counts what was found", () => {
    const { requests, ids } = open();
    requests.insert(exchange("a"));
    requests.insert(
      exchange("b", { job_id: "other", procurement_id: "p", status: 422, outcome: "/job_number T-1 is taken" }),
    );
    requests.insert(exchange("c", { job_id: null, path: "/__webhooks/subscribe?x=100%_", outcome: "subscribed" }));
    expect([ids({ job_id: "other" }), ids({ procurement_id: "p" }), ids({ job_id: "none" })]).toEqual([
      ["b"],
      ["b"],
      [],
    ]);
    expect([
      ids({ search: "JOBS.insert" }),
      ids({ search: "422" }),
      ids({ search: "Taken" }),
      ids({ search: "100%_" }),
      ids({ search: "%" }),
    ]).toEqual([["b", "a"], ["b"], ["b"], ["c"], ["c"]]);
    expect(requests.list({ search: "inserted", job_id: "job", limit: 1 })).toMatchObject({
      total: 1,
      rows: [{ id: "a" }],
    });
    expect(requests.list({ search: "nothing", limit: 1 })).toEqual({ rows: [], last: null, total: 0 });
  });

  it("finds what changed something: answered 200, and of an operation that does more than read", () => {
    const { requests, ids } = open();
    requests.insert(exchange("1"));
    requests.insert(exchange("2", { operation: "repairer.jobs.get", outcome: "read only" }));
    requests.insert(exchange("3", { status: 422, outcome: "nothing changed" }));
    requests.insert(exchange("4", { operation: "webhooks.subscribe", job_id: null }));
    requests.insert(exchange("5", { operation: "webhooks.secret" }));
    requests.insert(exchange("6", { operation: null }));
    const confirm = "supplier.procurements.confirm";
    requests.insert(exchange("7", { operation: confirm, path: `/api/2026-01/${confirm}` }));
    requests.insert(exchange("8"));
    expect(ids({ changes: true })).toEqual(["8", "7", "4", "1"]);
    expect(ids({ changes: true, oldestFirst: true })).toEqual(["1", "4", "7", "8"]);
    expect(ids({ changes: true, job_id: "job", search: "jobs.insert" })).toEqual(["8", "1"]);
    expect(ids({ changes: false })).toHaveLength(8);
    const first = requests.list({ changes: true, limit: 3 });
    expect([first.total, first.rows.length]).toEqual([4, 3]);
    expect(requests.list({ changes: true, limit: 3, beyond: first.last ?? 0 })).toMatchObject({
      rows: [{ id: "1" }],
      last: null,
      total: 4,
    });
    const oldest = requests.list({ changes: true, oldestFirst: true, limit: 3 });
    expect(ids({ changes: true, oldestFirst: true, beyond: oldest.last ?? 0 })).toEqual(["8"]);
  });

  it("finds what was refused or failed", () => {
    const { requests, ids } = open();
    for (const [id, status] of Object.entries({ 1: 200, 2: 409, 3: 503, 4: 302, 5: 0, 6: 400 }))
      requests.insert(exchange(id, { status }));
    expect(ids({ refused: true })).toEqual(["6", "3", "2"]);
    expect(ids({ refused: true, beyond: placeOf("6") })).toEqual(["3", "2"]);
    expect(requests.list({ refused: true, limit: 1 })).toMatchObject({ total: 3, rows: [{ id: "6" }] });
    expect(ids({ refused: true, changes: true })).toEqual([]);
  });

  it("finds the calls of one operation that were answered 200, the first of them too", () => {
    const { requests, ids } = open();
    requests.insert(exchange("1", { status: 404 }));
    requests.insert(exchange("2"));
    requests.insert(exchange("3", { operation: "repairer.jobs.get" }));
    requests.insert(exchange("4"));
    expect(ids({ done: "repairer.jobs.insert" })).toEqual(["4", "2"]);
    expect(requests.list({ done: "repairer.jobs.insert", oldestFirst: true, limit: 1 })).toMatchObject({
      rows: [{ id: "2" }],
      total: 2,
    });
    expect(ids({ done: "repairer.jobs.get", changes: true })).toEqual([]);
    expect(ids({ done: "no.such.operation" })).toEqual([]);
  });

  it("is counted without being read", () => {
    const { requests, insert } = open();
    expect(requests.count()).toBe(0);
    insert("1", "2", "3");
    expect(requests.count()).toBe(3);
  });
});
