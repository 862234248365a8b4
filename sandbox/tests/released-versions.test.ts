import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  deliveriesGet,
  deliveriesList,
  jobsList,
  procurementsList,
  requestsGet,
  requestsList,
  subscriptionsList,
  tier1List,
  tracesGet,
  uploadsList,
} from "../contract/control/operations.ts";
import { clockGet, policiesGet, worldsList } from "../contract/control/world-operations.ts";
import {
  jobsGet,
  jobsInsert,
  partsInsert,
  partsList,
  supplierProcurementsGet,
} from "../contract/operations/partner.ts";
import { Database } from "../storage/database.ts";
import { migrations } from "../storage/migrations/index.ts";
import { startTestService, supplier, type TestService, temporaryFolder } from "../testing/harness.ts";

/** What the world of the first version holds of its own, beside some of its seed. */
const JOB = { external_id: "fixture:1", job_number: "F-1", claim_number: "Claim Ä/1", plate_number: "FIX001" };

const fixture = path.join(import.meta.dirname, "..", "storage", "migrations", "fixtures", "version-1.sql");
const folder = temporaryFolder();
const file = path.join(folder, "worlds", "w-default.sqlite");
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

type Row = Readonly<Record<string, unknown>>;
const rowsOf = (handle: Sqlite.Database): Map<string, Row[]> => {
  const tables = handle
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  return new Map(tables.map((table) => [table, handle.prepare<[], Row>(`SELECT * FROM ${table}`).all()]));
};
let before: Map<string, Row[]>;
const old = (table: string): Row[] => before.get(table) ?? [];

beforeAll(() => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const handle = new Sqlite(file);
  handle.exec(fs.readFileSync(fixture, "utf8"));
  handle.pragma("journal_mode = WAL");
  before = rowsOf(handle);
  handle.close();
});

describe("a world of data version 1", () => {
  test("has rows in every table, so that nothing can be forgotten here", () => {
    expect(before.size).toBeGreaterThan(15);
    for (const [table, rows] of before) expect([table, rows.length]).not.toEqual([table, 0]);
  });

  test("keeps every row when it is opened, in tables that stayed as they were to the last column", () => {
    const copy = path.join(folder, "copy.sqlite");
    fs.copyFileSync(file, copy);
    const db = new Database(copy, { durability: "off" });
    expect(db.handle.pragma("user_version", { simple: true })).toBe(migrations.length);
    expect(db.handle.pragma("integrity_check", { simple: true })).toBe("ok");
    const after = rowsOf(db.handle);
    db.close();
    const moved = new Set(["meta", "requests", "log", "events", "deliveries", "attempts"]);
    for (const [table, rows] of before) {
      if (!moved.has(table)) expect([table, after.get(table)]).toEqual([table, rows]);
    }
    expect(after.get("meta")).toEqual(expect.arrayContaining(old("meta")));
    for (const table of ["requests", "events", "deliveries", "attempts"])
      expect([table, after.get(table)?.length]).toEqual([table, old(table).length]);
    const ids = (rows: readonly Row[]) => rows.map((row) => row.id).toSorted();
    for (const table of ["requests", "events", "deliveries"])
      expect([table, ids(after.get(table) ?? [])]).toEqual([table, ids(old(table))]);
    const exchanges = old("log").filter((row) => row.kind === "request").length;
    expect(after.get("log")?.length).toBe(old("log").length - exchanges);
  });
});

describe("a service started on it", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(folder, { deliveries: false });
  });
  afterAll(() => service.stop());

  test("finds its jobs and procurements at the first search, and goes on with them", async () => {
    for (const search of ["FIX001", "f-1", "LAIM Ä", "fixture:1"]) {
      const { items, total } = await service.control(jobsList, { search });
      expect([search, total, items[0]]).toEqual([search, 1, expect.objectContaining(JOB)]);
    }
    expect((await service.control(jobsList, {})).total).toBe(old("jobs").length);
    const [job] = (await service.control(jobsList, { state: "order_requested", search: "F-1" })).items;
    expect(job).toMatchObject({ parts: 2, procurements: { order_requested: 1, order_confirmed: 1, cancelled: 1 } });
    const orders = await service.control(procurementsList, { job_id: job?.id ?? "" });
    expect(orders.total).toBe(3);
    const confirmed = orders.items.find((one) => one.status === "order_confirmed");
    const seen = await service.ok(supplierProcurementsGet, { identity: { id: confirmed?.id ?? "" } }, supplier);
    expect(seen).toMatchObject({ id: confirmed?.id, status: "order_confirmed" });
  });

  test("has its switches, clock, subscriptions, uploads and identifiers", async () => {
    expect((await service.control(policiesGet, {})).policies).toMatchObject({
      part_ordered_on: "confirmed",
      jobs_insert_conflict: "update",
    });
    expect((await service.control(clockGet, {})).offset_seconds).toBe(90);
    expect((await service.control(subscriptionsList, {})).items.map(({ url }) => url).toSorted()).toEqual(
      old("subscriptions")
        .map((row) => row.url)
        .toSorted(),
    );
    expect((await service.control(tier1List, {})).items).toMatchObject([{ identifier: { plate: "FIX001" } }]);
    expect((await service.control(uploadsList, {})).items).toMatchObject([{ file_name: "a b.png" }]);
    expect((await service.control(worldsList, {})).items).toMatchObject([
      { name: "default", clock_offset_seconds: 90, counts: { jobs: old("jobs").length } },
    ]);
  });

  test("shows what was delivered and called, byte for byte, and the traces that join them", async () => {
    const { items } = await service.control(deliveriesList, { limit: 500 });
    expect(items.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual(
      old("deliveries")
        .map((row) => `${row.id} ${row.status}`)
        .toSorted(),
    );
    for (const delivery of items) {
      const { attempts } = await service.control(deliveriesGet, { id: delivery.id });
      const { seq } = old("deliveries").find((row) => row.id === delivery.id) ?? {};
      const tries = old("attempts").filter((row) => row.delivery_seq === seq);
      expect(attempts.map((one) => one.request_body_base64)).toEqual(
        tries.map((row) => (row.request_body as Buffer).toString("base64")),
      );
    }
    const exchanges = await service.control(requestsList, { limit: 500 });
    const listed = new Set(exchanges.items.map(({ id }) => id));
    expect(old("requests").filter((row) => !listed.has(String(row.id)))).toEqual([]);
    for (const row of old("requests")) {
      const detail = await service.control(requestsGet, { id: String(row.id) });
      expect(detail).toMatchObject({ operation: row.operation, request_body: String(row.request_body) });
    }
    const placing = exchanges.items.find(({ path }) => path.endsWith("repairer.procurements.place"));
    const trace = await service.control(tracesGet, { id: placing?.trace_id ?? "" });
    expect([trace.request?.id, trace.events.length > 0]).toEqual([placing?.id, true]);
  });

  test("hands the old jobs out to the integration that was installed then, and takes new ones beside them", async () => {
    const installed = old("credentials").find((row) => row.preloaded === 0);
    const credential = { api_key: String(installed?.api_key), integration_id: String(installed?.integration_id) };
    const seen = await service.ok(jobsGet, { identity: { external: JOB.external_id } }, credential);
    expect(seen).toMatchObject({ job_number: JOB.job_number, claim_number: JOB.claim_number });
    const identity = { external: "fixture:new" };
    const { repairer_site_id } = seen;
    const inserted = await service.ok(jobsInsert, { identity, repairer_site_id }, credential);
    await service.ok(partsInsert, { job_identity: identity, parts: [{ description: "Head lamp" }] }, credential);
    expect((await service.ok(partsList, { job_identity: { id: inserted.id } }, credential)).items.length).toBe(1);
    expect((await service.control(jobsList, { search: "fixture:" })).total).toBe(3);
  });
});
