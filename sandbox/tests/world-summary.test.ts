import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  deliveriesList,
  eventsList,
  jobsList,
  procurementsList,
  requestsList,
  subscriptionsDelete,
} from "../contract/control/operations.ts";
import { drillsRunAll } from "../contract/control/receiver-operations.ts";
import { worldSummary } from "../contract/control/world-operations.ts";
import { drillNames } from "../contract/drill-names.ts";
import {
  jobsGet,
  jobsInsert,
  procurementsCancel,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { procurementStatuses } from "../contract/values.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

let worlds = 0;
let world = "";
let tenant: Record<string, string> = {};
beforeEach(() => {
  worlds += 1;
  world = `summary-${worlds}`;
  tenant = { "x-sandbox-tenant": world };
});

const summary = () => service.control(worldSummary, { world });
const subscribe = (integration_id: string, url = `${service.ready.base_url}/__webhooks/sink`) =>
  service.post("/__webhooks/subscribe", { integration_id, url }, tenant);
const subscribeBoth = async () => {
  for (const { integration_id } of [repairer, supplier]) await subscribe(integration_id);
};
const insertJob = async (external: string) => {
  const job = { identity: { external }, repairer_site_id: await ownSite(service, tenant) };
  await service.ok(jobsInsert, job, repairer, tenant);
};
const settled = () => vi.waitFor(async () => expect((await summary()).deliveries.pending).toBe(0), { timeout: 10_000 });
const last = (times: readonly string[]): string | null => times.toSorted().at(-1) ?? null;

/** Content of the lists, read to the end. */
const listed = async () => {
  const { items: jobs } = await service.control(jobsList, { world, limit: 500 });
  const { items: orders } = await service.control(procurementsList, { world, limit: 500 });
  const inStatus = procurementStatuses.map((status) => {
    const some = orders.filter((order) => order.status === status);
    const last_at = last(some.map(({ updated_at }) => updated_at));
    return [status, { total: some.length, total_is_minimum: false, last_at }];
  });
  const total = (count: number) => ({ total: count, total_is_minimum: false });
  return {
    jobs: { ...total(jobs.length), last_changed_at: last(jobs.map(({ updated_at }) => updated_at)) },
    parts: total(jobs.reduce((sum, { parts }) => sum + parts, 0)),
    baskets: total(jobs.filter(({ parts }) => parts > 0).length),
    procurements: { ...total(orders.length), by_status: Object.fromEntries(inStatus) },
    events: total((await service.control(eventsList, { world })).total),
  };
};

describe("world.summary", () => {
  test("of a fresh world matches the lists, without calls or deliveries", async () => {
    expect(await summary()).toEqual({
      ...(await listed()),
      deliveries: {
        pending: 0,
        delivered: 0,
        failed: 0,
        next_attempt_at: null,
        first_delivered: null,
        last_delivered: null,
      },
      subscriptions: [],
      first_calls: [],
    });
  });

  test("counts changes and each subscription's deliveries", async () => {
    await subscribeBoth();
    const one = await placeOrder(service, "S-1", tenant);
    const other = await placeOrder(service, "S-2", tenant);
    await service.ok(supplierProcurementsConfirm, { identity: { id: one.id } }, supplier, tenant);
    await service.ok(procurementsCancel, { identity: { id: other.id } }, repairer, tenant);
    await settled();
    const now = await summary();
    expect(now).toMatchObject(await listed());
    const { items } = await service.control(deliveriesList, { world, limit: 500 });
    expect(now.deliveries).toMatchObject({ delivered: items.length, failed: 0, next_attempt_at: null });
    expect([now.deliveries.last_delivered, now.deliveries.first_delivered]).toEqual([items[0], items.at(-1)]);
    expect(now.subscriptions.map(({ delivered }) => delivered)).toEqual(
      now.subscriptions.map(({ id }) => items.filter(({ subscription_id }) => subscription_id === id).length),
    );
  });

  test("counts drills of a subscription, and deliveries of an ended one", async () => {
    await subscribeBoth();
    await insertJob("S-1");
    await settled();
    const [buyer, seller] = (await summary()).subscriptions;
    const id = buyer?.id ?? "";
    await service.control(drillsRunAll, { world, subscription_id: id });
    expect((await summary()).subscriptions).toMatchObject([
      { drills_run: drillNames.length, drills_passed: drillNames.length },
      { drills_run: 0 },
    ]);
    await service.control(subscriptionsDelete, { world, id });
    expect((await summary()).subscriptions).toEqual([{ ...buyer, drills_run: 0, drills_passed: 0 }, seller]);
  });

  test("contains the next attempt of a failing delivery", async () => {
    await subscribe(repairer.integration_id, "http://127.0.0.1:9/nobody");
    await insertJob("S-3");
    const pending = () => service.control(deliveriesList, { world, status: "pending" });
    await vi.waitFor(async () => expect((await pending()).items[0]?.attempts_made).toBe(1));
    const [waiting] = (await pending()).items;
    const { deliveries, subscriptions } = await summary();
    expect(deliveries).toMatchObject({ pending: 1, next_attempt_at: waiting?.next_attempt_at });
    expect(subscriptions.find((one) => one.id === waiting?.subscription_id)).toMatchObject({ pending: 1 });
  });

  test("names the first call of each operation with 200, never a refused one", async () => {
    await subscribe(repairer.integration_id);
    const { id } = await placeOrder(service, "S-1", tenant);
    await insertJob("S-2");
    await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, tenant);
    const { first_calls: before } = await summary();
    expect(before.map(({ operation }) => operation)).not.toContain(jobsGet.id);
    await service.call(jobsGet, { identity: { external: "nothing has it" } }, repairer, tenant);
    for (const external of ["S-2", "S-1"]) await service.ok(jobsGet, { identity: { external } }, repairer, tenant);
    const { first_calls } = await summary();
    expect(first_calls.find(({ operation }) => operation === jobsGet.id)?.label).toBe("S-2");
    for (const call of first_calls) {
      const asked = { world, operation: call.operation ?? "", status: 200, direction: "asc", limit: 1 } as const;
      expect((await service.control(requestsList, asked)).items).toEqual([call]);
    }
    expect(first_calls.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["webhooks.subscribe", "repairer.procurements.place", supplierProcurementsConfirm.id]),
    );
  });

  test("of a service without deliveries contains no next attempt", async () => {
    const silent = await startTestService(undefined, { deliveries: false });
    const url = `${silent.ready.base_url}/__webhooks/sink`;
    await silent.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url });
    await silent.ok(jobsInsert, { identity: { external: "S-1" }, repairer_site_id: await ownSite(silent) }, repairer);
    const { deliveries } = await silent.control(worldSummary, {});
    expect([deliveries.pending, deliveries.next_attempt_at]).toEqual([1, null]);
    await silent.end();
  });
});
