import { afterAll, beforeAll, expect, test } from "vitest";
import { procurementsList } from "../contract/control/operations.ts";
import { snapshotsExport, snapshotsImport, snapshotsRestore } from "../contract/control/snapshot-operations.ts";
import { clockAdvance, worldLifecycle } from "../contract/control/world-operations.ts";
import {
  basketsLatestGet,
  jobsInsert,
  partsInsert,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const lifecycle = (world: string) => service.control(worldLifecycle, { world });
const inWorld = (world: string) => ({ "x-sandbox-tenant": world });

/** Number of offers for a job. */
const offersOf = async (external: string, world: string): Promise<number> =>
  (await service.ok(basketsLatestGet, { job_identity: { external } }, repairer, inWorld(world))).offers.length;

test("a fresh world equals its seed", async () => {
  const world = "default";
  const { items } = await service.control(procurementsList, { world, status: "order_requested", limit: 500 });
  const { from_seed, oldest_requested_at, confirmed_last_hour, job_events, offers } = await lifecycle(world);
  expect({ from_seed, oldest_requested_at, confirmed: confirmed_last_hour.total, events: job_events.total }).toEqual({
    from_seed: true,
    oldest_requested_at: items.map(({ created_at }) => created_at).toSorted()[0],
    confirmed: 0,
    events: 0,
  });
  expect(offers.total).toBeGreaterThan(0);
  expect(offers.total_is_minimum).toBe(false);
});

test("the oldest requested order is the one placed first, although an imported one was updated since", async () => {
  const world = "imported";
  const { document } = await service.control(snapshotsExport, { world });
  const tables = document.tables.map((table) => {
    const updated = table.columns.indexOf("updated_at");
    const rows = table.rows.map((row) => row.with(updated, Number(row[updated]) + 60_000));
    return table.name === "procurements" ? { ...table, rows } : table;
  });
  await service.control(snapshotsImport, { world, document: { ...document, tables }, name: "later" });
  await service.control(snapshotsRestore, { world, name: "later" });
  const { items } = await service.control(procurementsList, { world, status: "order_requested", limit: 500 });
  expect((await lifecycle(world)).oldest_requested_at).toBe(items.map(({ created_at }) => created_at).toSorted()[0]);
});

test("the offers of a job are recounted whenever its basket changes", async () => {
  const world = "offers";
  const tenant = inWorld(world);
  const before = await lifecycle(world);
  const job_identity = { external: "L-1" };
  const repairer_site_id = await ownSite(service, tenant);
  await service.ok(jobsInsert, { identity: job_identity, repairer_site_id }, repairer, tenant);
  const parts = (description: string) =>
    service.ok(partsInsert, { job_identity, parts: [{ description }] }, repairer, tenant);
  for (const description of ["Front bumper cover", "Bonnet"]) {
    await parts(description);
    expect((await lifecycle(world)).offers.total).toBe(before.offers.total + (await offersOf("L-1", world)));
  }
  await service.ok(
    jobsInsert,
    { identity: job_identity, repairer_site_id, claim_number: "test:offers=none", if_: { exists: "update" } },
    repairer,
    tenant,
  );
  const now = await lifecycle(world);
  expect([await offersOf("L-1", world), now.offers.total, now.from_seed]).toEqual([0, before.offers.total, false]);
});

test("today's baskets are those since midnight of the viewer's time zone, by the world's clock", async () => {
  const world = "days";
  const toHalfPast = (5_400 - ((Date.now() / 1_000) % 3_600)) % 3_600;
  const { now } = await service.control(clockAdvance, { world, seconds: toHalfPast });
  const hour = new Date(now).getUTCHours();
  /** A zone that is this many hours ahead of UTC. POSIX counts the other way round. */
  const zone = (ahead: number): string => `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
  const atNoon = zone(12 - hour);
  const beforeMidnight = zone(hour < 11 ? -1 - hour : 23 - hour);
  const today = async (time_zone: string): Promise<number> =>
    (await service.control(worldLifecycle, { world, time_zone })).baskets_today.total;
  const before = [await today(atNoon), await today(beforeMidnight)];
  await placeOrder(service, "L-3", inWorld(world));
  expect([await today(atNoon), await today(beforeMidnight)]).toEqual(before.map((count) => count + 1));
  await service.control(clockAdvance, { world, seconds: 2 * 3_600 });
  expect(await today(beforeMidnight)).toBe(0);
  expect(await today(atNoon)).toBe((before[0] ?? 0) + 1);
  expect(await today("Mars/Olympus")).toBe(await today("UTC"));
});

test("confirmations of the last hour use the world's clock", async () => {
  const world = "hours";
  const { id } = await placeOrder(service, "L-2", inWorld(world));
  await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, inWorld(world));
  const confirmed = async (): Promise<number> => (await lifecycle(world)).confirmed_last_hour.total;
  expect(await confirmed()).toBe(1);
  await service.control(clockAdvance, { world, seconds: 3_601 });
  expect(await confirmed()).toBe(0);
});
