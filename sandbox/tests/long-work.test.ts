import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { WorldDocument } from "../contract/control/snapshot-operations.ts";
import {
  snapshotsExport,
  snapshotsImport,
  snapshotsList,
  snapshotsRestore,
  snapshotsSave,
  worldsCompare,
} from "../contract/control/snapshot-operations.ts";
import { workCancel, workList, worldsCopy, worldsList, worldsReset } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

const JOBS = 50_000;

/** Documents with many jobs: one for the event loop test, and a smaller one whose import still takes a while. */
let document: WorldDocument;
let smaller: WorldDocument;

beforeAll(async () => {
  const service = await startTestService();
  const exported = (await service.control(snapshotsExport, {})).document;
  await service.end();
  const manifold = ({ columns, rows: [row = []], ...table }: WorldDocument["tables"][number]) => {
    const unique: Record<string, (count: number) => unknown> = {
      seq: (count) => count + 1,
      id: () => randomUUID(),
      external_id: (count) => `many:${count}`,
      job_number: (count) => `M-${count}`,
      plate_number: (count) => `P${count}`,
    };
    const another = (_: unknown, count: number) => row.map((cell, at) => unique[columns[at] ?? ""]?.(count) ?? cell);
    return { ...table, columns, rows: Array.from({ length: JOBS }, another) };
  };
  // Removes the rows of the seed's own jobs.
  const ofJobs = new Set(["job_parts", "procurements", "procurement_parts"]);
  document = {
    ...exported,
    tables: exported.tables.map((table) =>
      table.name === "jobs" ? manifold(table) : ofJobs.has(table.name) ? { ...table, rows: [] } : table,
    ),
  };
  const tables = document.tables.map((table) => ({ ...table, rows: table.rows.slice(0, JOBS / 4) }));
  smaller = { ...document, tables };
});

const started = async (folder?: string): Promise<TestService> => {
  const service = await startTestService(folder);
  onTestFinished(() => service.end());
  return service;
};
const tokenOf = (service: TestService) => ({ authorization: `Bearer ${service.ready.control_token}` });
const importInto = (service: TestService, signal?: AbortSignal) =>
  service.call(snapshotsImport, { document: smaller, name: "large" }, undefined, tokenOf(service), signal);
const working = async (service: TestService) => {
  await expect
    .poll(async () => (await service.control(workList, {})).items[0]?.progress ?? 0, { timeout: 60_000 })
    .toBeGreaterThan(0);
  return (await service.control(workList, {})).items;
};
const nothingIsLeft = async (service: TestService): Promise<void> => {
  const unfinished = path.join(service.folder, "unfinished");
  await expect.poll(() => (fs.existsSync(unfinished) ? fs.readdirSync(unfinished) : [])).toEqual([]);
  expect((await service.control(workList, {})).items).toEqual([]);
  expect((await service.control(snapshotsList, { everywhere: true })).items).toEqual([]);
};

/** CPU time of this thread in milliseconds, so that other processes don't count. */
const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Measures the longest turn of this thread's event loop until the result. */
const longestTurn = async (run: () => Promise<unknown>): Promise<number> => {
  let [longest, last] = [0, spent()];
  const watch = (): void => {
    longest = Math.max(longest, spent() - last);
    last = spent();
  };
  const timer = setInterval(watch, 1);
  await run();
  watch();
  clearInterval(timer);
  return longest;
};

test("50,000 jobs are imported, restored, copied and compared while others are served", async () => {
  const service = await started();
  const file = path.join(service.folder, "large.json");
  const before = spent();
  fs.writeFileSync(file, JSON.stringify({ document, name: "large", world: "large" }));
  const written = spent() - before;
  const importing = () =>
    fetch(service.baseUrl + operationPath(snapshotsImport), {
      method: "POST",
      headers: { "content-type": "application/json", ...tokenOf(service) },
      body: Readable.toWeb(fs.createReadStream(file)) as ReadableStream<Uint8Array>,
      duplex: "half",
    } as RequestInit);
  const asked = { world: "large", name: "large", checkpoint: false };
  const turns = {
    import: await longestTurn(async () => expect((await importing()).status).toBe(200)),
    restore: await longestTurn(() => service.control(snapshotsRestore, asked)),
    copy: await longestTurn(() => service.control(worldsCopy, { world: "large", to: "other" })),
    compare: await longestTurn(() => service.control(worldsCompare, { world: "large", with: { world: "other" } })),
  };
  // Half of the serialization time leaves room for garbage collection only.
  for (const [what, ms] of Object.entries(turns)) expect(ms, what).toBeLessThan(written / 2);
  expect((await service.control(worldsList, {})).items.find(({ name }) => name === "other")?.counts.jobs).toBe(JOBS);
}, 400_000);

test("work on whole worlds is listed with its progress, runs in sequence, and can be cancelled", async () => {
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
    body: { type: "unprocessable", message: "The import was cancelled. Nothing was changed." },
  });
  expect((await copying).status).toBe(422);
  await nothingIsLeft(service);
  expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
  const gone = await service.call(workCancel, { id: first?.id ?? "" }, undefined, tokenOf(service));
  expect(gone.status).toBe(404);
});

test("work on a world that is reset meanwhile is cancelled, with the reason", async () => {
  const service = await started();
  await service.control(snapshotsSave, { name: "first" });
  const importing = importInto(service);
  const [running] = await working(service);
  const restoring = service.call(snapshotsRestore, { name: "first" }, undefined, tokenOf(service));
  await expect.poll(async () => (await service.control(workList, {})).items.length).toBe(2);
  const resetting = service.control(worldsReset, {});
  await service.control(workCancel, { id: running?.id ?? "" });
  expect(await restoring).toMatchObject({
    status: 422,
    body: {
      type: "unprocessable",
      message:
        "The restore was cancelled because the world was reset, restored or deleted meanwhile. Nothing was changed. Start it again.",
    },
  });
  await Promise.all([importing, resetting]);
});

test("a delayed snapshot shows the counts at its creation", async () => {
  const service = await started();
  const first = await service.control(snapshotsSave, { name: "first" });
  const importing = importInto(service);
  const [running] = await working(service);
  const saving = service.control(snapshotsSave, { name: "last" });
  await expect.poll(async () => (await service.control(workList, {})).items.at(-1)).toMatchObject({ progress: null });
  const identity = { external: "later" };
  await service.ok(jobsInsert, { identity, repairer_site_id: await ownSite(service) }, repairer);
  await service.control(workCancel, { id: running?.id ?? "" });
  await importing;
  const saved = await saving;
  expect(saved.counts.jobs).toBe(first.counts.jobs + 1);
  expect((await service.control(snapshotsRestore, { name: "last" })).counts).toEqual(saved.counts);
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

test("a stop ends current work, and the next start has no trace of it", async () => {
  const service = await startTestService();
  const importing = importInto(service);
  await working(service);
  await service.stop();
  expect((await importing).status).toBe(422);
  await nothingIsLeft(await started(service.folder));
});
