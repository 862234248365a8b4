import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { faultsList, faultsSet } from "../contract/control/fault-operations.ts";
import {
  accessCodesIssue,
  clientsList,
  credentialsList,
  deliveriesGet,
  deliveriesList,
  eventsList,
  jobsList,
  organizationsList,
  procurementsList,
  requestsGet,
  requestsList,
  subscriptionsList,
  tier1List,
  tracesGet,
  uploadsList,
} from "../contract/control/operations.ts";
import {
  drillsList,
  drillsRunAll,
  receiversCreate,
  receiversList,
  receiversReceived,
} from "../contract/control/receiver-operations.ts";
import type { WorldDocument } from "../contract/control/snapshot-operations.ts";
import {
  snapshotsExport,
  snapshotsImport,
  snapshotsRestore,
  snapshotsSave,
} from "../contract/control/snapshot-operations.ts";
import { clockGet, policiesGet, policiesSet, retentionGet, worldsList } from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import type { Operation } from "../contract/operation.ts";
import { businessesList, jobsInsert, tier1Prepare, uploadsPrepare } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { importRefusal } from "../testing/import-refusal.ts";

const RUNS = Number(process.env.DOCUMENT_CELLS ?? 12);
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
const world = "full";
const as = { "x-sandbox-tenant": world };

let service: TestService;
let site = "";
let document: WorldDocument;

/** Keeps one job of each kind with its rows, so the document is quick to read. */
const smaller = ({ tables, ...rest }: WorldDocument): WorldDocument => {
  const kept = new Set<unknown>();
  const cellsOf = (name: string, column: string): unknown[] => {
    const table = tables.find((one) => one.name === name);
    return (table?.rows ?? []).map((row) => row[table?.columns.indexOf(column) ?? -1]);
  };
  const ofProcurements = cellsOf("procurements", "job_id");
  for (const id of [...ofProcurements.slice(0, 2), ...cellsOf("jobs", "id").slice(-1)]) kept.add(id);
  const procurements = cellsOf("procurements", "id").filter((_, index) => kept.has(ofProcurements[index]));
  const of: Record<string, readonly [column: string, ids: ReadonlySet<unknown>]> = {
    jobs: ["id", kept],
    job_parts: ["job_id", kept],
    procurements: ["job_id", kept],
    procurement_parts: ["procurement_id", new Set(procurements)],
  };
  return {
    ...rest,
    tables: tables.map((table) => {
      const [column, ids] = of[table.name] ?? [];
      const at = column === undefined ? -1 : table.columns.indexOf(column);
      return ids ? { ...table, rows: table.rows.filter((row) => ids.has(row[at])) } : table;
    }),
  };
};

beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer, as);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
  const { integration_id } = repairer;
  const { client_id } = fixedClients.demo;
  const buyer = (await service.control(organizationsList, { world })).items.find(({ scope }) => scope === "repairer");
  const receiver = await service.control(receiversCreate, { world, integration_id });
  await service.post("/__webhooks/subscribe", { integration_id, url: "http://127.0.0.1:9/" }, as);
  await service.control(policiesSet, { world, policies: { webhook_retries: "none" } });
  await service.control(faultsSet, { world, effect: { drop: {} }, operation: "tier1.prepare", uses: 1 });
  await service
    .call(tier1Prepare, { identifiers: [{ chassis_number: "JTHBK262905080000" }] }, repairer, as)
    .catch(() => undefined);
  await service.ok(tier1Prepare, { identifiers: [{ chassis_number: "JTHBK262905080000" }] }, repairer, as);
  const upload = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
  const prepared = await service.ok(uploadsPrepare, upload, repairer, as);
  const url = new URL(prepared.upload_url);
  await service.raw(url.pathname + url.search, { method: "PUT", body: new Uint8Array(PNG) });
  const images = ["https://images.example/one.png"];
  await service.ok(jobsInsert, { identity: { external: "full" }, repairer_site_id: site, images }, repairer, as);
  const pending = async () => (await service.control(deliveriesList, { world, status: "pending" })).total;
  await vi.waitFor(async () => expect(await pending()).toBe(0), { timeout: 30_000 });
  await service.control(drillsRunAll, { world, subscription_id: receiver.subscription_id ?? "" });
  await service.control(accessCodesIssue, { world, client_id, organization_id: buyer?.id ?? "", scope: "repairer" });
  document = smaller((await service.control(snapshotsExport, { world, reveal: true })).document);
}, 60_000);
afterAll(() => service.end());

const values: readonly unknown[] = [
  ...[null, 0, 1, -1, 0.5, 1e300, 2 ** 31, 2 ** 53 - 1, 8_640_000_000_000_001, -8_640_000_000_000_001, 2 ** 63],
  ...["", "5", "-1", "NaN", "abc", "{", "[", "[]", "{}", "null", "[[1]]", '{"a":1}', "[null]", "\u0000", "\ud800"],
  ...["javascript:alert(1)", "http://[", "http:///x", "x".repeat(5_000), repairer.integration_id],
  ...[{ text: "{" }, { base64: "/w==" }],
];

interface Change {
  readonly table: string;
  readonly row: number;
  readonly column: string;
  readonly value: unknown;
}

const changed = ({ table, row, column, value }: Change): WorldDocument => ({
  ...document,
  tables: document.tables.map((one) =>
    one.name === table
      ? {
          ...one,
          rows: one.rows.map((cells, at) => (at === row ? cells.with(one.columns.indexOf(column), value) : cells)),
        }
      : one,
  ),
});

/** Calls every operation that reads a world, and some that write. A 500 is a bug. */
const exercise = async (name: string): Promise<void> => {
  const call = async (operation: Operation, body: object = {}): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${service.ready.control_token}` };
    const answer = await service.call(operation, { world: name, ...body } as never, undefined, headers);
    expect([operation.id, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([operation.id, 200, ""]);
    return answer.body as Record<string, unknown>;
  };
  const each = async (list: Operation, get: Operation, key = "id"): Promise<void> => {
    for (const { id } of (await call(list)).items as { id: string }[]) await call(get, { [key]: id });
  };
  for (const one of [worldsList, clockGet, policiesGet, retentionGet, faultsList, organizationsList]) await call(one);
  for (const one of [clientsList, credentialsList]) await call(one, { reveal: true });
  for (const one of [jobsList, procurementsList, tier1List, uploadsList, eventsList]) await call(one);
  await each(requestsList, requestsGet);
  await each(requestsList, tracesGet);
  await each(deliveriesList, deliveriesGet);
  await each(subscriptionsList, drillsList, "subscription_id");
  await each(receiversList, receiversReceived);
  const inserted = await service.call(
    jobsInsert,
    { identity: { external: `new ${Math.random()}` }, repairer_site_id: site },
    repairer,
    { "x-sandbox-tenant": name },
  );
  expect([inserted.status < 500, inserted.text]).toEqual([true, inserted.text]);
  await call(snapshotsSave, { name: "again" });
  await call(snapshotsExport);
};

test("a document with any changed cell is refused, or becomes a working world", async () => {
  expect(importRefusal({ document, world: "all", name: "x" })).toBeNull();
  const cells = document.tables.flatMap(({ name, columns, rows }) =>
    rows.flatMap((_, row) => columns.map((column) => ({ table: name, row, column }))),
  );
  const columns = [...Map.groupBy(cells, ({ table, column }) => `${table}.${column}`).values()];
  const made: string[] = [];
  let refused = 0;
  const change = fc
    .tuple(
      fc.constantFrom(...columns).chain((of) => fc.constantFrom(...of)),
      fc.constantFrom(...values),
    )
    .map(([cell, value]): Change => ({ ...cell, value }));
  const holds = async (one: Change): Promise<void> => {
    const body = { document: changed(one), name: "x" };
    const sentence = importRefusal(body);
    if (sentence !== null) {
      refused += 1;
      expect(sentence).not.toMatch(/undefined|Cannot read|is not a function|Unexpected token|is not iterable|JSON at/);
      return;
    }
    const name = `cell-${randomUUID()}`;
    made.push(name);
    await service.control(snapshotsImport, { ...body, world: name });
    await service.control(snapshotsRestore, { world: name, name: "x", checkpoint: false });
    await exercise(name);
  };
  await fc.assert(fc.asyncProperty(change, holds), { numRuns: RUNS, endOnFailure: true });
  expect([refused, made.length].every((count) => count > 0)).toBe(true);
  await service.stop();
  service = await startTestService(service.folder);
  for (const name of made) await service.control(jobsList, { world: name });
}, 600_000);
