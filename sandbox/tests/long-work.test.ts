import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { snapshotsExport, snapshotsImport, snapshotsList } from "../contract/control/snapshot-operations.ts";
import type { WorldDocument } from "../contract/control/snapshot-rows.ts";
import { workCancel, workList } from "../contract/control/work-operations.ts";
import { worldsCopy, worldsList } from "../contract/control/world-operations.ts";
import { tier1Prepare } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

const VEHICLES = 60_000;

/** A document that takes seconds to read. */
let document: WorldDocument;

beforeAll(async () => {
  const service = await startTestService();
  await service.ok(tier1Prepare, { identifiers: [{ chassis_number: "JTHBK262905080000" }] }, repairer);
  const exported = (await service.control(snapshotsExport, {})).document;
  await service.end();
  const manifold = (table: WorldDocument["tables"][number]) => {
    const [row = []] = table.rows;
    const [seq, identity] = ["seq", "identity"].map((name) => table.columns.indexOf(name));
    const another = (_: unknown, index: number) =>
      row.map((cell, at) => (at === seq ? index + 1 : at === identity ? randomUUID() : cell));
    return { ...table, rows: Array.from({ length: VEHICLES }, another) };
  };
  document = {
    ...exported,
    tables: exported.tables.map((table) => (table.name === "vehicle_identifiers" ? manifold(table) : table)),
  };
});

const started = async (folder?: string): Promise<TestService> => {
  const service = await startTestService(folder);
  onTestFinished(() => service.end());
  return service;
};
const tokenOf = (service: TestService) => ({ authorization: `Bearer ${service.ready.control_token}` });
const importInto = (service: TestService, signal?: AbortSignal) =>
  service.call(snapshotsImport, { document, name: "large" }, undefined, tokenOf(service), signal);
const working = async (service: TestService) => {
  await expect
    .poll(async () => (await service.control(workList, {})).items[0]?.progress ?? 0, { timeout: 20_000 })
    .toBeGreaterThan(0);
  return (await service.control(workList, {})).items;
};
const nothingIsLeft = async (service: TestService): Promise<void> => {
  const unfinished = path.join(service.folder, "unfinished");
  await expect.poll(() => (fs.existsSync(unfinished) ? fs.readdirSync(unfinished) : [])).toEqual([]);
  expect((await service.control(workList, {})).items).toEqual([]);
  expect((await service.control(snapshotsList, { everywhere: true })).items).toEqual([]);
};

test("work on whole worlds is listed with how far it is, one piece after the other, and can be canceled", async () => {
  const service = await started();
  const importing = importInto(service);
  const [first] = await working(service);
  expect(first).toMatchObject({ kind: "import", world: null });
  const copying = service.call(worldsCopy, { to: "second" }, undefined, tokenOf(service));
  await expect.poll(async () => (await service.control(workList, {})).items.length).toBe(2);
  const [, second] = (await service.control(workList, {})).items;
  expect(second).toMatchObject({ kind: "copy", world: "default", progress: null });
  for (const one of [second, first])
    expect(await service.control(workCancel, { id: one?.id ?? "" })).toEqual({ ok: true });
  expect(await importing).toMatchObject({
    status: 422,
    body: { type: "unprocessable", message: "the import was canceled; nothing was changed" },
  });
  expect((await copying).status).toBe(422);
  await nothingIsLeft(service);
  expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
  const gone = await service.call(workCancel, { id: first?.id ?? "" }, undefined, tokenOf(service));
  expect(gone.status).toBe(404);
});

test("a caller that hangs up cancels its work", async () => {
  const service = await started();
  const caller = new AbortController();
  const importing = importInto(service, caller.signal);
  await working(service);
  caller.abort();
  await expect(importing).rejects.toThrow();
  await nothingIsLeft(service);
});

test("a stop ends what is being done, and the next start knows nothing of it", async () => {
  const service = await startTestService();
  const importing = importInto(service);
  await working(service);
  await service.stop();
  expect((await importing).status).toBe(422);
  await nothingIsLeft(await started(service.folder));
});
