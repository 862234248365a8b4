import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsList, procurementsList, requestsList } from "../contract/control/operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import {
  basketsLatestGet,
  businessesList,
  invoicesReconcile,
  jobsDelete,
  jobsGet,
  jobsInsert,
  partsInsert,
  partsList,
  procurementsCancel,
  procurementsPlace,
  repairerProcurementsGet,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
let site = "";
let meridian = "";
let count = 0;
beforeAll(async () => {
  service = await startTestService();
  site = (await service.ok(businessesList, {}, repairer)).items.find((one) => one.type === "repairer_site")?.id ?? "";
  meridian = (await service.ok(businessesList, {}, supplier)).items[0]?.id ?? "";
});
afterAll(() => service.end());

const placed = async (): Promise<{ id: string; external: string }> => {
  count += 1;
  const external = `ext:${count}`;
  const job_identity = { external };
  await service.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer);
  await service.ok(
    partsInsert,
    { job_identity, parts: [{ description: "Front bumper cover" }, { description: "Bonnet" }] },
    repairer,
  );
  const { offers } = await service.ok(basketsLatestGet, { job_identity }, repairer);
  const sellable_ids = offers.filter((one) => one.supplier_business_id === meridian).map((one) => one.sellable_id);
  const { items } = await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer);
  return { id: items[0]?.id ?? "", external };
};
const confirm = (id: string) => service.call(supplierProcurementsConfirm, { identity: { id } }, supplier);
const cancel = (id: string, credential = repairer) =>
  service.call(procurementsCancel, { identity: { id } }, credential);
const eventCount = async () => (await service.control(eventsList, { limit: 1 })).total;

describe("order states", () => {
  test("D74, procurements.cancel: either side cancels a requested one without an event, and its parts are estimated again", async () => {
    const sides = [
      [repairer, "supplier_business"],
      [supplier, "buyer_business"],
    ] as const;
    for (const [credential, other] of sides) {
      const { id, external } = await placed();
      const before = await eventCount();
      expect(await cancel(id, credential)).toMatchObject({
        status: 200,
        body: { id, status: "cancelled", deliver_before: null, [other]: { id: expect.any(String) } },
      });
      expect(await eventCount()).toBe(before);
      const parts = await service.ok(partsList, { job_identity: { external } }, repairer);
      expect(parts.items.map((part) => part.status)).toEqual(["estimated", "estimated"]);
      const { items } = await service.control(requestsList, { limit: 2 });
      expect(items.map(({ outcome }) => outcome)).toEqual(["read only", "now cancelled"]);
    }
  });

  test("D50 and D51: confirming again or confirming a cancelled one follows the world's settings", async () => {
    const [first, second] = [await placed(), await placed()];
    await confirm(first.id);
    await cancel(second.id);
    const events = await eventCount();
    expect((await confirm(first.id)).status).toBe(200);
    expect(await confirm(second.id)).toMatchObject({
      status: 422,
      body: { type: "unprocessable", message: expect.any(String) },
    });
    await service.control(policiesSet, {
      policies: { confirm_when_confirmed: "reject", confirm_when_cancelled: "not_found" },
    });
    expect(await confirm(first.id)).toMatchObject({ status: 422, body: { type: "unprocessable" } });
    expect((await confirm(second.id)).body).toEqual({ type: "not_found" });
    await service.control(policiesSet, {
      policies: { confirm_when_confirmed: "ok", confirm_when_cancelled: "reject" },
    });
    expect(await eventCount()).toBe(events);
  });

  test("a confirmed one cannot be cancelled; one of another party is not_found (D25)", async () => {
    const { id } = await placed();
    await confirm(id);
    expect(await cancel(id)).toMatchObject({ status: 422, body: { type: "unprocessable" } });
    const theirs = (await service.control(procurementsList, { limit: 500 })).items.find(
      (one) => !one.supplier.has_credential,
    );
    expect((await confirm(theirs?.id ?? "")).body).toEqual({ type: "not_found" });
    expect((await cancel(theirs?.id ?? "", supplier)).body).toEqual({ type: "not_found" });
  });

  test("D42, repairer.procurements.place: parts are ordered when placed, or by a setting only when confirmed", async () => {
    const statuses = async (external: string) =>
      new Set((await service.ok(partsList, { job_identity: { external } }, repairer)).items.map((part) => part.status));
    expect(await statuses((await placed()).external)).toEqual(new Set(["ordered"]));
    await service.control(policiesSet, { policies: { part_ordered_on: "confirmed" } });
    const { id, external } = await placed();
    expect(await statuses(external)).toEqual(new Set(["estimated"]));
    await confirm(id);
    expect(await statuses(external)).toEqual(new Set(["ordered"]));
    await service.control(policiesSet, { policies: { part_ordered_on: "placed" } });
  });

  test("of twenty concurrent confirmations one takes effect, all get the same state, and there are two events", async () => {
    const { id } = await placed();
    const before = await eventCount();
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(id)));
    expect(new Set(answers.map((one) => one.text)).size).toBe(1);
    expect(await eventCount()).toBe(before + 2);
  });

  test("D43: the dealer with a key here covers every part, so that any order can be confirmed", async () => {
    for (const [index, description] of ["Test part", "Headlamp", "brake disc", "", "Ölwanne 4711"].entries()) {
      const job_identity = { external: `answered:${index}` };
      await service.ok(jobsInsert, { identity: job_identity, repairer_site_id: site }, repairer);
      const parts = Array.from({ length: 40 }, () => ({ description, quantity: 1 }));
      await service.ok(partsInsert, { job_identity, parts }, repairer);
      const { offers } = await service.ok(basketsLatestGet, { job_identity }, repairer);
      const dealers = offers.filter((offer) => offer.supplier_business_id === meridian);
      expect(new Set(dealers.flatMap((offer) => offer.job_part_ids)).size, description).toBe(40);
    }
  });

  test("an offer named twice, even in another case, is refused and places nothing", async () => {
    const { external } = await placed();
    const { offers } = await service.ok(basketsLatestGet, { job_identity: { external } }, repairer);
    const sellable = offers.find((one) => one.supplier_business_id === meridian)?.sellable_id ?? "";
    const before = (await service.control(procurementsList, { limit: 1 })).total;
    const sellable_ids = [sellable, sellable.toUpperCase()];
    const answer = await service.call(procurementsPlace, { job_identity: { external }, sellable_ids }, repairer);
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining("/sellable_ids/1") } });
    expect((await service.control(procurementsList, { limit: 1 })).total).toBe(before);
  });

  test("an offer outside the latest basket is refused and places nothing", async () => {
    const { external } = await placed();
    const before = (await service.control(procurementsList, { limit: 1 })).total;
    const answer = await service.call(
      procurementsPlace,
      { job_identity: { external }, sellable_ids: ["00000000-0000-4000-8000-000000000000"] },
      repairer,
    );
    expect(answer).toMatchObject({
      status: 422,
      body: { type: "unprocessable", message: expect.stringContaining("/sellable_ids/0") },
    });
    expect((await service.control(procurementsList, { limit: 1 })).total).toBe(before);
  });
});

describe("repairer.jobs.delete", () => {
  test("D75: deletes a job without live orders and emits deleted, and refuses otherwise", async () => {
    const { id, external } = await placed();
    const identity = { external };
    expect(await service.call(jobsDelete, { identity }, repairer)).toMatchObject({
      status: 422,
      body: { type: "unprocessable" },
    });
    await cancel(id);
    const deleted = await service.ok(jobsDelete, { identity }, repairer);
    expect((await service.call(jobsGet, { identity }, repairer)).body).toEqual({ type: "not_found" });
    expect((await service.call(repairerProcurementsGet, { identity: { id } }, repairer)).status).toBe(404);
    expect((await service.control(eventsList, { limit: 1 })).items[0]).toMatchObject({
      event_type: "repairer.jobs",
      payload: { job_id: deleted.id, change_action: "deleted" },
    });
  });
});

describe("repairer.invoices.reconcile", () => {
  test("distinguishes matched, differing, missing and unexpected lines", async () => {
    const { id } = await placed();
    expect((await service.call(invoicesReconcile, { identity: { id }, lines: [] }, repairer)).status).toBe(422);
    await confirm(id);
    const { offered_items } = await service.ok(repairerProcurementsGet, { identity: { id } }, repairer);
    const [first, second] = offered_items;
    const line = (item: typeof first) => ({
      sellable_id: item?.supplied_offer.inventory?.sellable_id ?? null,
      quantity: item?.supplied_offer.quantity ?? 0,
      unit_price: item?.supplied_offer.trade_price ?? "0",
    });
    expect(
      await service.ok(invoicesReconcile, { identity: { id }, lines: [line(second), line(first)] }, repairer),
    ).toMatchObject({
      matched: [
        { line: 0, offered_item_id: second?.id },
        { line: 1, offered_item_id: first?.id },
      ],
      price_differences: [],
      quantity_differences: [],
      missing: [],
      unexpected: [],
    });
    const wrong = await service.ok(
      invoicesReconcile,
      {
        identity: { id },
        lines: [
          { ...line(first), unit_price: "1.00", quantity: 9 },
          { description: "Tea", quantity: 1, unit_price: "3.50" },
        ],
      },
      repairer,
    );
    expect(wrong).toMatchObject({
      matched: [],
      price_differences: [{ line: 0, invoiced: "1.00" }],
      quantity_differences: [{ line: 0, invoiced: 9 }],
      missing: [{ offered_item_id: second?.id }],
      unexpected: [{ line: 1 }],
      invoiced_total: "12.50",
    });
    expect(
      (
        await service.call(
          invoicesReconcile,
          { identity: { id }, lines: [{ quantity: 1, unit_price: "cheap" }] },
          repairer,
        )
      ).body,
    ).toMatchObject({ message: expect.stringContaining("/lines/0/unit_price") });
  });
});
