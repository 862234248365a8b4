import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type ProvenOrigin, requestOrigins, type Side, type UnroutedKind } from "../contract/control/rows.ts";
import { readPage } from "../testing/read-page.ts";
import { Database } from "./database.ts";
import { JobsStore } from "./jobs-store.ts";
import { type ExchangeRecord, type RequestFilter, RequestsStore, requestList, requestQuery } from "./requests-store.ts";

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
    const { seqs, end, total } = await readPage(db, requestList, { ...requestQuery(db, filter), after, limit });
    return { ids: seqs.map((seq) => requests.at(seq)?.id), last: end?.seq, total };
  };
  const ids = async (filter: RequestFilter = {}) => (await page(filter, 100)).ids;
  return { db, requests, insert, ids, page, start: db.lastSeq };
};

describe("the log of requests", () => {
  it("returns an exchange with headers and bodies, and a row without them", () => {
    const { requests, start } = open();
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
    expect(requests.at(start + 1)).toEqual(row);
    expect(requests.get("a")).toEqual({
      ...row,
      request_headers: exchange("a").request_headers,
      request_body: '{"a":"ü"}',
      request_body_base64: Buffer.from('{"a":"ü"}').toString("base64"),
      response_headers: exchange("a").response_headers,
      response_body: "{}",
      response_body_base64: Buffer.from("{}").toString("base64"),
      body_masked: false,
    });
    expect(requests.findByTrace("a")).toEqual(row);
    expect([requests.get("b"), requests.findByTrace("b")]).toEqual([undefined, undefined]);
  });

  it("lists the newest first, in pages without gaps or repeats while new exchanges arrive", async () => {
    const { insert, page, start } = open();
    insert("1", "2", "3", "4", "5");
    const first = await page({}, 2);
    insert("6");
    const second = await page({}, 2, first.last);
    const third = await page({}, 2, second.last);
    expect([first, second, third]).toEqual([
      { ids: ["5", "4"], last: start + 4, total: 5 },
      { ids: ["3", "2"], last: start + 2, total: 6 },
      { ids: ["1"], last: undefined, total: 6 },
    ]);
    expect((await page({}, 6)).last).toBeUndefined();
    expect(await page({ oldestFirst: true }, 2, start + 3)).toEqual({
      ids: ["4", "5"],
      last: start + 5,
      total: 6,
    });
  });

  it("searches thousands of exchanges by page while they change", async () => {
    const { db, requests, ids, page, start } = open();
    const said = (number: number) => ({
      path: number % 2 === 0 ? "/even" : "/odd",
      outcome: number % 500 === 0 ? `"round" ${number}` : "inserted",
      label: `J-${number}`,
    });
    const insert = db.handle.transaction((from: number, through: number) => {
      for (let number = from; number <= through; number += 1) requests.insert(exchange(`n${number}`, said(number)));
    });
    insert(1, 6_000);
    expect(await ids({ search: "j-777" })).toEqual(["n777"]);
    expect(await ids({ search: '"ROUND" 1' })).toEqual(["n1500", "n1000"]);
    expect(await ids({ search: '"ROUND" 1', oldestFirst: true })).toEqual(["n1000", "n1500"]);
    const first = await page({ search: "even" }, 300);
    const second = await page({ search: "even" }, 300, first.last);
    expect([...first.ids, ...second.ids]).toEqual(Array.from({ length: 600 }, (_, index) => `n${6_000 - 2 * index}`));
    for (const search of ["e", "%", '" OR "', "a* NEAR(b)"]) await page({ search }, 2);
    db.run("DELETE FROM requests WHERE seq BETWEEN ? AND ?", start + 700, start + 6_000);
    insert(7_000, 7_200);
    expect([await ids({ search: "j-777" }), await ids({ search: "J-6999" })]).toEqual([[], []]);
    expect(await ids({ search: "j-7199" })).toEqual(["n7199"]);
    expect(await ids({ search: "round" })).toEqual(["n7000", "n500"]);
  });

  it("searches headers and bodies of the newest, and the identifiers of any exchange's job", async () => {
    const { db, requests, ids } = open();
    const job = { id: "job", organization_id: "o", repairer_site_id: "s", external_id: "estimate:1", job_number: null };
    new JobsStore(db).insert({
      ...{ ...job, claim_number: null, vehicle_variant: null, work_provider_id: null, images: [] },
      ...{ vehicle: { plate_number: "NKR482", chassis_number: null, plate_state: null }, created_at: 0, updated_at: 0 },
    });
    const odd = { request_body: Buffer.from([0xff, 0xfe]), outcome: "", label: null, job_id: null };
    db.handle.transaction(() => {
      requests.insert(exchange("about it"));
      requests.insert(exchange("long ago", { ...odd, request_body: Buffer.from("Größe") }));
      for (let number = 0; number < 1_500; number += 1) requests.insert(exchange(`n${number}`, odd));
      requests.insert(exchange("just now", { ...odd, request_body: Buffer.from("GRÖSSE größe") }));
      requests.insert(exchange("with it", { ...odd, request_headers: [["x-said", "größe"]] }));
    })();
    expect(await ids({ search: "Größe" })).toEqual(["with it", "just now"]);
    for (const search of ["nkr 482", "NKR4", "Estimate:1"]) expect(await ids({ search })).toEqual(["about it"]);
  });

  it("filters by job, order, path, status and outcome, and counts the result", async () => {
    const { requests, ids, page } = open();
    requests.insert(exchange("a"));
    requests.insert(
      exchange("b", { job_id: "other", procurement_id: "p", status: 422, outcome: "/job_number T-Ö is taken" }),
    );
    requests.insert(exchange("c", { job_id: null, path: "/__webhooks/subscribe?x=100%_", outcome: "subscribed" }));
    const found: Record<string, readonly (string | undefined)[]> = {};
    for (const search of ["j-1", "JOBS.insert", "t-ö IS Taken", "100%_", "%", "nothing"])
      found[search] = await ids({ search });
    expect(found).toEqual({
      "j-1": ["c", "b", "a"],
      "JOBS.insert": ["b", "a"],
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

  it("filters changes: calls with 200 whose operation does more than read", async () => {
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

  it("filters refused and failed calls", async () => {
    const { requests, ids, page, start } = open();
    for (const [id, status] of Object.entries({ 1: 200, 2: 409, 3: 503, 4: 302, 5: 0, 6: 400 }))
      requests.insert(exchange(id, { status }));
    expect(await ids({ refused: true })).toEqual(["6", "3", "2"]);
    expect((await page({ refused: true }, 9, start + 6)).ids).toEqual(["3", "2"]);
    expect(await ids({ refused: true, changes: true })).toEqual([]);
  });

  it("filters by the start of a user agent at any age, and lists those of the newest", async () => {
    const { requests, ids } = open();
    const from = (id: string, ...agents: string[]) =>
      requests.insert(exchange(id, { request_headers: agents.map((agent) => ["user-agent", agent]), job_id: id }));
    from("1", "PartsBridge/7.4");
    from("2", 'PartsBridge/7.5 ("x" 100%_)');
    from("3", "curl/8");
    requests.insert(exchange("4", { request_headers: [["x-said", "PartsBridge/7.4"]] }));
    from("5", "PartsBridge/7.4");
    const found = async (user_agent: string) => ids({ user_agent });
    expect(await found("PartsBridge")).toEqual(["5", "2", "1"]);
    expect(await found("PartsBridge/7.4")).toEqual(["5", "1"]);
    expect(await found('PartsBridge/7.5 ("x" 100%_')).toEqual(["2"]);
    expect([await found("Bridge"), await found("%")]).toEqual([[], []]);
    expect(await ids({ user_agent: "PartsBridge", job_id: "1" })).toEqual(["1"]);
    expect(requests.userAgents(4)).toEqual([
      { user_agent: "PartsBridge/7.4", calls: 1 },
      { user_agent: 'PartsBridge/7.5 ("x" 100%_)', calls: 1 },
      { user_agent: "curl/8", calls: 1 },
    ]);
    expect(requests.userAgents(9)[0]).toEqual({ user_agent: "PartsBridge/7.4", calls: 2 });
  });

  it("combines any filters exactly", async () => {
    const { db, requests, page } = open();
    const organizations = "INSERT INTO organizations (id, name) VALUES ('o', 'O')";
    db.run(organizations);
    for (const [id, scope] of [
      ["a", "repairer"],
      ["b", "supplier"],
    ])
      db.run(
        "INSERT INTO credentials (integration_id, api_key, webhook_secret, organization_id, scope, preloaded, created_at) VALUES (?, '', '', 'o', ?, 0, 0)",
        id,
        scope,
      );
    const one = <T>(...values: readonly T[]) => fc.constantFrom(...values);
    const kinds = {
      operation: one<string | null>(null, "repairer.jobs.get", "repairer.jobs.insert"),
      status: one(0, 200, 200, 200, 404, 422, 503),
      error_code: one<string | null>(null, null, "not_found", "unprocessable"),
      caller: one<readonly [string | null, Side | null]>([null, null], ["a", "repairer"], ["b", "supplier"]),
      faults: fc.boolean(),
      unrouted: one<UnroutedKind | undefined>(undefined, undefined, "method", "unreadable"),
      replays_id: one<string | undefined>(undefined, undefined, "other"),
      origin: one<ProvenOrigin | undefined>(undefined, undefined, "explorer", "scenario", "assistant"),
      at: fc.integer({ min: 0, max: 50 }),
    };
    const rows = fc.sample(fc.record(kinds), { numRuns: 400, seed: 4 }).map((kind, index): ExchangeRecord => {
      const { caller, faults, unrouted, replays_id, origin, at, ...rest } = kind;
      const [integration_id, side] = caller;
      return exchange(String(index), {
        ...{ ...rest, integration_id, side, at: EPOCH + at },
        ...(faults ? { faults: [{ id: "f", kind: "drop", when: "before" }] } : {}),
        ...(unrouted ? { unrouted } : {}),
        ...(replays_id ? { replays_id } : {}),
        ...(origin ? { origin } : {}),
      });
    });
    for (const row of rows) requests.insert(row);
    for (const { id } of rows) if (Number(id) % 40 === 0) requests.annotate(id, { pinned: true });
    const meets = (row: ExchangeRecord, asked: RequestFilter): boolean => {
      const originOf = row.origin ?? (row.replays_id === undefined ? "partner" : "replay");
      return [
        asked.operation === undefined || row.operation === asked.operation,
        asked.status === undefined || row.status === asked.status,
        asked.status_class === undefined || Math.floor(row.status / 100) === asked.status_class,
        asked.error_code === undefined || row.error_code === asked.error_code,
        asked.integration_id === undefined || row.integration_id === asked.integration_id.toLowerCase(),
        asked.side === undefined || row.side === asked.side,
        !asked.anonymous || row.integration_id === null,
        !asked.faulted || row.faults !== undefined,
        !asked.unrouted || row.unrouted !== undefined,
        !asked.pinned || Number(row.id) % 40 === 0,
        !asked.refused || row.status >= 400,
        asked.origin === undefined || originOf === asked.origin || (asked.origin === "replay" && row.replays_id),
        asked.from === undefined || row.at - EPOCH >= asked.from,
        asked.to === undefined || row.at - EPOCH < asked.to,
      ].every(Boolean);
    };
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
    const filter: fc.Arbitrary<RequestFilter> = fc.record({
      operation: maybe(one("repairer.jobs.get", "repairer.jobs.insert", "none")),
      status: maybe(one(0, 200, 404)),
      status_class: maybe(fc.integer({ min: 1, max: 5 })),
      error_code: maybe(one("not_found", "unprocessable")),
      integration_id: maybe(one("A", "b")),
      side: maybe(one<Side>("repairer", "supplier")),
      anonymous: maybe(fc.boolean()),
      faulted: maybe(fc.boolean()),
      unrouted: maybe(fc.boolean()),
      pinned: maybe(fc.boolean()),
      refused: maybe(fc.boolean()),
      origin: maybe(one(...requestOrigins)),
      from: maybe(fc.integer({ min: 0, max: 50 })),
      to: maybe(fc.integer({ min: 0, max: 50 })),
    });
    await fc.assert(
      fc.asyncProperty(filter, async (asked) => {
        const expected = rows.filter((row) => meets(row, asked)).map(({ id }) => id);
        expect(await page(asked, 500)).toEqual({ ids: expected.toReversed(), last: undefined, total: expected.length });
      }),
    );
  });

  it("knows the first stored call of each operation with 200", () => {
    const { db, requests } = open();
    const known = () => requests.firstDone().map(({ id }) => id);
    requests.insert(exchange("1", { status: 404 }));
    for (const id of ["2", "3"]) requests.insert(exchange(id));
    requests.insert(exchange("4", { operation: "repairer.jobs.get" }));
    expect(known()).toEqual(["2", "4"]);
    db.handle.exec("SAVEPOINT task");
    requests.insert(exchange("5", { operation: "repairer.jobs.delete" }));
    db.handle.exec("ROLLBACK TO task; RELEASE task");
    requests.clearCaches();
    requests.insert(exchange("6", { operation: "repairer.jobs.delete" }));
    expect(known()).toEqual(["2", "4", "6"]);
    db.run("DELETE FROM requests WHERE id = '2'");
    expect(known()).toEqual(["3", "4", "6"]);
    db.run("DELETE FROM requests WHERE operation = 'repairer.jobs.insert'");
    requests.clearCaches();
    requests.insert(exchange("7"));
    expect(known()).toEqual(["4", "6", "7"]);
  });

  it("indexes no text of reads, and finds them among the newest and by job", async () => {
    const { db, requests, ids } = open();
    const read = { operation: "repairer.jobs.get", path: "/api/2026-01/repairer.jobs.get", outcome: "read only" };
    db.handle.transaction(() => {
      requests.insert(exchange("long ago", read));
      requests.insert(exchange("changed", { label: "J-77" }));
      for (let number = 0; number < 1_500; number += 1)
        requests.insert(exchange(`n${number}`, { ...read, label: null }));
    })();
    expect(db.get("SELECT count(*) AS n FROM requests_search")).toEqual({ n: 1 });
    expect(await ids({ search: "J-77" })).toEqual(["changed"]);
    expect((await ids({ search: "jobs.get" })).length).toBe(100);
  });
});
