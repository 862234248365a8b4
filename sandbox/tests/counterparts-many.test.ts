import path from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { counterpartsDue } from "../contract/control/counterpart-operations.ts";
import { organizationsList, requestsList } from "../contract/control/operations.ts";
import type { ResponseOf } from "../contract/operation.ts";
import { supplierProcurementsConfirm } from "../contract/operations/partner.ts";
import { DEFAULT_WORLD, worldFileName } from "../rules/worlds/world-name.ts";
import { folderWithTemplate, startTestService, type TestService } from "../testing/harness.ts";
import { placeOrder } from "../testing/order.ts";
import { serveCommand } from "../testing/process.ts";

/** A data folder whose default world has orders due for confirmation. */
const folderWithDue = async (count: number): Promise<string> => {
  const folder = folderWithTemplate();
  const service = await startTestService(folder);
  const { id } = await placeOrder(service, "one");
  const { items } = await service.control(organizationsList, {});
  const supplier = items.find(({ name }) => name === "Meridian Genuine Parts")?.id;
  await service.stop();
  const db = new Sqlite(path.join(folder, "worlds", worldFileName(DEFAULT_WORLD)));
  db.pragma("foreign_keys = OFF");
  // Each order has its own job, as in practice.
  const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
  const idOf = (kind: number) => `printf('%08x-0000-4000-8${kind}00-000000000000', n.i)`;
  db.prepare(
    `${numbers} INSERT INTO procurements (id, job_id, status, reference, buyer_organization_id, buyer_business_id, supplier_organization_id,
       supplier_business_id, created_at, updated_at, deliver_before, document)
     SELECT ${idOf(0)}, ${idOf(1)}, status, reference, buyer_organization_id, buyer_business_id, supplier_organization_id,
       supplier_business_id, created_at, updated_at, deliver_before, document FROM n, procurements WHERE id = ?`,
  ).run(count, id);
  db.prepare(
    `${numbers} INSERT INTO acts (due_at, kind, organization_id, procurement_id, job_id) SELECT n.i - ?, 'confirm', ?, ${idOf(0)}, ${idOf(1)} FROM n`,
  ).run(count, count, supplier);
  db.close();
  return folder;
};

const due = async (service: TestService): Promise<number> => (await service.control(counterpartsDue, {})).total;

/** Confirmed orders, in the order of the recorded calls. */
const confirmed = async (service: TestService): Promise<string[]> => {
  const orders: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const asked = { operation: supplierProcurementsConfirm.id, origin: "counterpart" as const, limit: 500 };
    const page: ResponseOf<typeof requestsList> = await service.control(requestsList, {
      ...asked,
      ...(cursor === undefined ? {} : { cursor }),
    });
    orders.push(...page.items.flatMap(({ procurement_id, status }) => (status === 200 ? [procurement_id ?? ""] : [])));
    cursor = page.next_cursor;
  }
  return orders.toReversed();
};

test("D92: ten thousand due acts are performed in order, without blocking callers", async () => {
  const service = await startTestService(await folderWithDue(10_000));
  onTestFinished(() => service.end());
  const waits: number[] = [];
  let left = 10_000;
  for (const end = Date.now() + 100_000; left > 0 && Date.now() < end; ) {
    const began = performance.now();
    await service.raw("/__health", { method: "GET" });
    waits.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (waits.length % 20 === 0) left = await due(service);
  }
  expect(left).toBe(0);
  const sorted = waits.toSorted((one, other) => one - other);
  expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThan(100);
  const orders = await confirmed(service);
  expect(orders).toHaveLength(10_000);
  expect(orders).toEqual(orders.toSorted());
}, 120_000);

test("D92: a thousand acts across kill -9 are each recorded exactly once", async () => {
  const folder = await folderWithDue(1_000);
  for (let kills = 0; kills < 3; kills += 1) {
    const { service, process } = await serveCommand(folder);
    const before = await due(service);
    await expect.poll(() => due(service), { timeout: 20_000, interval: 5 }).toBeLessThan(Math.max(1, before - 50));
    await process.kill("SIGKILL");
  }
  const { service } = await serveCommand(folder);
  onTestFinished(() => service.end());
  await expect.poll(() => due(service), { timeout: 30_000 }).toBe(0);
  const orders = await confirmed(service);
  expect(orders).toHaveLength(1_000);
  expect(new Set(orders).size).toBe(1_000);
}, 120_000);
