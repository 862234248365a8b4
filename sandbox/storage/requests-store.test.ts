import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Database } from "./database.ts";
import { findPage } from "./lists.ts";
import {
  type ExchangeRecord,
  type RequestFilter,
  RequestsStore,
  requestQuery,
  searchableRequests,
} from "./requests-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const exchange = (id: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  id,
  at: EPOCH + 1_250,
  method: "POST",
  path: "/api/2026-01/repairer.jobs.insert",
  operation: "repairer.jobs.insert",
  integration_id: "integration",
  side: "repairer",
  status: 200,
  body_masked: false,
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
  const insert = (...ids: string[]): void => {
    for (const id of ids) requests.insert(exchange(id));
  };
  const page = async (filter: RequestFilter, limit: number, beyond?: number) => {
    const after = beyond === undefined ? null : { key: beyond, seq: beyond };
    const { seqs, end, total } = await findPage(db, searchableRequests, { ...requestQuery(filter), after, limit });
    return { ids: seqs.map((seq) => requests.at(seq)?.id), last: end?.seq, total };
  };
  const ids = async (filter: RequestFilter = {}) => (await page(filter, 100)).ids;
  return { requests, insert, ids, page };
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
    expect(requests.at(1)).toEqual(row);
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

  it("lists the newest first, and is paged without gaps or repeats, also while new exchanges arrive", async () => {
    const { insert, page } = open();
    insert("1", "2", "3", "4", "5");
    const first = await page({}, 2);
    insert("6");
    const second = await page({}, 2, first.last);
    const third = await page({}, 2, second.last);
    expect([first, second, third]).toEqual([
      { ids: ["5", "4"], last: 4, total: 5 },
      { ids: ["3", "2"], last: 2, total: 6 },
      { ids: ["1"], last: undefined, total: 6 },
    ]);
    expect((await page({}, 6)).last).toBeUndefined();
    expect(await page({ oldestFirst: true }, 2, 3)).toEqual({ ids: ["4", "5"], last: 5, total: 6 });
  });

  it("finds exchanges by job, procurement, path, status and outcome, and counts what was found", async () => {
    const { requests, ids, page } = open();
    requests.insert(exchange("a"));
    requests.insert(
      exchange("b", { job_id: "other", procurement_id: "p", status: 422, outcome: "/job_number T-Ö is taken" }),
    );
    requests.insert(exchange("c", { job_id: null, path: "/__webhooks/subscribe?x=100%_", outcome: "subscribed" }));
    const found: Record<string, readonly (string | undefined)[]> = {};
    for (const search of ["JOBS.insert", "422", "t-ö IS Taken", "100%_", "%", "nothing"])
      found[search] = await ids({ search });
    expect(found).toEqual({
      "JOBS.insert": ["b", "a"],
      422: ["b"],
      "t-ö IS Taken": ["b"],
      "100%_": ["c"],
      "%": ["c"],
      nothing: [],
    });
    expect([await ids({ job_id: "other" }), await ids({ procurement_id: "P" }), await ids({ job_id: "none" })]).toEqual(
      [["b"], ["b"], []],
    );
    expect(await ids({ ids: ["c", "A", "none"] })).toEqual(["c", "a"]);
    expect(await page({ search: "inserted", job_id: "job" }, 1)).toMatchObject({ total: 1, ids: ["a"] });
  });

  it("finds what changed something: answered 200, and of an operation that does more than read", async () => {
    const { requests, ids, page } = open();
    requests.insert(exchange("1"));
    requests.insert(exchange("2", { operation: "repairer.jobs.get", outcome: "read only" }));
    requests.insert(exchange("3", { status: 422, outcome: "nothing changed" }));
    requests.insert(exchange("4", { operation: "webhooks.subscribe", job_id: null }));
    requests.insert(exchange("5", { operation: "webhooks.secret" }));
    requests.insert(exchange("6", { operation: null }));
    const confirm = "supplier.procurements.confirm";
    requests.insert(exchange("7", { operation: confirm, path: `/api/2026-01/${confirm}` }));
    requests.insert(exchange("8"));
    expect(await ids({ changes: true })).toEqual(["8", "7", "4", "1"]);
    expect(await ids({ changes: true, oldestFirst: true })).toEqual(["1", "4", "7", "8"]);
    expect(await ids({ changes: true, job_id: "job", search: "jobs.insert" })).toEqual(["8", "1"]);
    expect(await ids({ changes: false })).toHaveLength(8);
    const first = await page({ changes: true }, 3);
    expect([first.total, first.ids.length]).toEqual([4, 3]);
    expect(await page({ changes: true }, 3, first.last)).toEqual({ ids: ["1"], last: undefined, total: 4 });
  });

  it("finds what was refused or failed", async () => {
    const { requests, ids, page } = open();
    for (const [id, status] of Object.entries({ 1: 200, 2: 409, 3: 503, 4: 302, 5: 0, 6: 400 }))
      requests.insert(exchange(id, { status }));
    expect(await ids({ refused: true })).toEqual(["6", "3", "2"]);
    expect((await page({ refused: true }, 9, 6)).ids).toEqual(["3", "2"]);
    expect(await ids({ refused: true, changes: true })).toEqual([]);
  });

  it("finds the calls of one operation that were answered 200, the first of them too", async () => {
    const { requests, ids, page } = open();
    requests.insert(exchange("1", { status: 404 }));
    requests.insert(exchange("2"));
    requests.insert(exchange("3", { operation: "repairer.jobs.get" }));
    requests.insert(exchange("4"));
    expect(await ids({ done: "repairer.jobs.insert" })).toEqual(["4", "2"]);
    expect(await page({ done: "repairer.jobs.insert", oldestFirst: true }, 1)).toMatchObject({ ids: ["2"], total: 2 });
    expect(await ids({ done: "repairer.jobs.get", changes: true })).toEqual([]);
    expect(await ids({ done: "no.such.operation" })).toEqual([]);
  });
});
