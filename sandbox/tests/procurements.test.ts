import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { procurementsPreview, requestsList } from "../contract/control/operations.ts";
import { clockAdvance, clockReset } from "../contract/control/world-operations.ts";
import {
  basketsLatestGet,
  invoicesReconcile,
  jobsInsert,
  partsInsert,
  partsList,
  procurementsPlace,
  repairerProcurementsGet,
  repairerProcurementsList,
  supplierProcurementsConfirm,
  supplierProcurementsGet,
} from "../contract/operations/partner.ts";
import type { Offer } from "../contract/resources/basket.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
});
afterAll(() => service.end());

const DAY = 86_400_000;
const confirm = (id: string) => service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier);
const sold = (id: string) => service.ok(supplierProcurementsGet, { identity: { id } }, supplier);
const bought = (id: string) => service.ok(repairerProcurementsGet, { identity: { id } }, repairer);

/** A job with enough parts for an offer from every supplier, and its offers. */
const withBasket = async (
  external: string,
): Promise<{ job_identity: { external: string }; offers: readonly Offer[] }> => {
  const job_identity = { external };
  await service.ok(jobsInsert, { identity: job_identity, repairer_site_id: site }, repairer);
  const descriptions = [
    "Bonnet",
    "Front bumper cover",
    "Headlamp, left",
    "Brake disc, front",
    "Alternator",
    "Air filter",
  ];
  await service.ok(
    partsInsert,
    { job_identity, parts: descriptions.map((description) => ({ description })) },
    repairer,
  );
  const { offers } = await service.ok(basketsLatestGet, { job_identity }, repairer);
  return { job_identity, offers };
};

describe("supplier.procurements.confirm", () => {
  test("D52: fills open values from the offer, sets the date three working days ahead, and keeps stated values", async () => {
    const { job_identity, offers } = await withBasket("filled");
    const sellable_ids = offers.map((one) => one.sellable_id);
    const { items } = await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer);
    const isOurs = async ({ id }: { readonly id: string }) =>
      (await service.call(supplierProcurementsGet, { identity: { id } }, supplier)).status === 200;
    const ours = await Promise.all(items.map(async (one) => ((await isOurs(one)) ? [one] : [])));
    const [requested, ...more] = ours.flat();
    if (!requested) throw new Error("nothing was ordered of the pre-loaded supplier");
    expect(more).toEqual([]);
    const confirmed = await confirm(requested.id);
    if (confirmed.status !== "order_confirmed") throw new Error("it was not confirmed");
    for (const [index, { supplied_offer: after, id }] of confirmed.offered_items.entries()) {
      const before = requested.offered_items[index];
      const offer = offers.find((one) => one.sellable_id === after.inventory.sellable_id);
      expect(id).toBe(before?.id);
      expect(after.condition).toEqual(
        before?.supplied_offer.condition ?? offer?.condition ?? { type: "new", payload: {} },
      );
      expect(after.trade_price).toBe(before?.supplied_offer.trade_price ?? offer?.trade_price);
      expect(after.quantity).toBe(before?.supplied_offer.quantity);
    }
    const ahead = (Date.parse(confirmed.deliver_before) - Date.parse(confirmed.updated_at)) / DAY;
    expect([3, 4, 5]).toContain(ahead);
    expect([0, 6]).not.toContain(new Date(confirmed.deliver_before).getUTCDay());
    expect(await bought(requested.id)).toMatchObject({
      status: "order_confirmed",
      deliver_before: confirmed.deliver_before,
    });
  });

  test("D50: a repetition returns the same response, even later", async () => {
    const { id } = await placeOrder(service, "twice");
    const first = await confirm(id);
    await service.control(clockAdvance, { seconds: 60 });
    expect(await confirm(id)).toEqual(first);
    expect(await sold(id)).toEqual(first);
    await service.control(clockReset, {});
  });

  test("D84: is dated by the world's clock, and keeps the order's creation time", async () => {
    const { id } = await placeOrder(service, "dated");
    const before = await bought(id);
    await service.control(clockAdvance, { seconds: 7 * 86_400 });
    const after = await confirm(id);
    expect(after.created_at).toBe(before.created_at);
    expect(Date.parse(after.updated_at) - Date.parse(before.updated_at)).toBeGreaterThanOrEqual(7 * DAY);
    await service.control(clockReset, {});
  });
});

describe("repairer.procurements.list: the orders of a job", () => {
  test("D54: lists all, newest first, even with equal times", async () => {
    const { job_identity, offers } = await withBasket("several");
    const placed: string[] = [];
    for (const { sellable_id } of offers.slice(0, 6)) {
      const { items } = await service.ok(procurementsPlace, { job_identity, sellable_ids: [sellable_id] }, repairer);
      placed.unshift(...items.map((one) => one.id));
    }
    const { items } = await service.ok(repairerProcurementsList, { job_identity }, repairer);
    expect(items.map((one) => one.id)).toEqual(placed);
    for (const one of items) expect(await bought(one.id)).toEqual(one);
  });

  test("lists one per supplier after a mixed order, each with its source items and a reference", async () => {
    const { job_identity, offers } = await withBasket("of many");
    const sellable_ids = offers.map((one) => one.sellable_id);
    const { items } = await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer);
    const suppliers = items.map((one) => one.supplier_business.id);
    expect(new Set(suppliers)).toEqual(new Set(offers.map((one) => one.supplier_business_id)));
    expect(new Set(suppliers).size).toBe(items.length);
    expect(new Set(items.map((one) => one.reference)).size).toBe(items.length);
    const recorded = async () => (await service.control(requestsList, { operation: procurementsPlace.id })).items[0];
    const of = { outcome: `${items.length} requested`, job_id: items[0]?.job_id, procurement_id: null };
    expect(await recorded()).toMatchObject(of);
    const one = await service.ok(procurementsPlace, { job_identity, sellable_ids: sellable_ids.slice(0, 1) }, repairer);
    expect(await recorded()).toMatchObject({ ...of, outcome: "1 requested", procurement_id: one.items[0]?.id });
    for (const one of items) {
      const sources = one.source_items.map((item) => item.id);
      expect(new Set(one.offered_items.flatMap((item) => item.fulfills_source_ids))).toEqual(new Set(sources));
    }
  });

  test("calls about an order, and about a job's orders, are recorded with what they are about", async () => {
    const { id, job_id } = await placeOrder(service, "read");
    await sold(id);
    const { reference } = await bought(id);
    await service.ok(repairerProcurementsList, { job_identity: { id: job_id } }, repairer);
    await confirm(id);
    await service.ok(invoicesReconcile, { identity: { id }, lines: [] }, repairer);
    const { items } = await service.control(requestsList, { limit: 5 });
    const order = { job_id, procurement_id: id, label: reference };
    expect(items).toMatchObject([order, order, { job_id, procurement_id: null, label: "read" }, order, order]);
  });

  test("D42: changes the status of its parts once, and publishes that", async () => {
    const feed = await FeedReader.connect(service);
    const { job_identity, offers } = await withBasket("parts of orders");
    const [offer] = offers;
    const sellable_ids = [offer?.sellable_id ?? ""];
    const placed = await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer);
    const { items } = await service.ok(partsList, { job_identity }, repairer);
    const ordered = items.filter(({ status }) => status === "ordered").map(({ id }) => id);
    expect(ordered.toSorted()).toEqual([...(offer?.job_part_ids ?? [])].toSorted());
    // A second order of the same parts changes no part.
    await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer);
    const states = (of: string) =>
      feed.entries.flatMap(({ kind, data }) =>
        kind === "state" && data.entity === of && data.job_id === placed.items[0]?.job_id ? [data] : [],
      );
    await feed.until(() => states("procurement").length === 2);
    const changed = states("parts").filter(({ after }) => JSON.stringify(after).includes('"ordered"'));
    expect(changed.map(({ change }) => change)).toEqual(["updated"]);
    feed.close();
  });

  test("is empty for a job without any", async () => {
    await service.ok(jobsInsert, { identity: { external: "none" }, repairer_site_id: site }, repairer);
    const job_identity = { external: "none" };
    expect(await service.ok(repairerProcurementsList, { job_identity }, repairer)).toEqual({ items: [] });
  });
});

describe("procurements.preview", () => {
  const preview = (id: string) => service.control(procurementsPreview, { id });

  test("returns the result of confirming an order without changing anything", async () => {
    const { id } = await placeOrder(service, "previewed");
    const { before, after } = await preview(id);
    expect(await sold(id)).toEqual(before);
    const now = await confirm(id);
    const times = { updated_at: now.updated_at, deliver_before: now.deliver_before };
    expect({ ...after, ...times }).toEqual(now);
    expect(Date.parse(now.deliver_before ?? "") - Date.parse(after?.deliver_before ?? "")).toBeLessThan(DAY);
    expect(await preview(id)).toEqual({ before: now, after: null });
  });

  test("is not found for an unknown order", async () => {
    const id = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
    const authorization = `Bearer ${service.ready.control_token}`;
    const { status, body } = await service.call(procurementsPreview, { id }, undefined, { authorization });
    expect([status, body]).toEqual([404, { type: "not_found", message: expect.stringContaining(id) }]);
  });
});
