import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsList, procurementsList } from "../contract/control/operations.ts";
import {
  basketsLatestGet,
  businessesList,
  jobsGet,
  jobsInsert,
  partsInsert,
  partsList,
  repairerProcurementsGet,
  repairerProcurementsList,
  supplierProcurementsGet,
  workProvidersList,
} from "../contract/operations/partner.ts";
import type { Basket } from "../contract/resources/basket.ts";
import type { Job, Part } from "../contract/resources/job.ts";
import type { BuyerProcurement, SupplierProcurement } from "../contract/resources/procurement.ts";
import * as shapes from "../testing/contract-shapes.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { expectShape } from "../testing/shape.ts";

/** The seeded world as its repairer and its supplier receive it. */
interface Seen {
  readonly jobs: Job[];
  readonly parts: Part[];
  readonly baskets: { readonly basket: Basket; readonly parts: Part[] }[];
  readonly bought: BuyerProcurement[];
  readonly sold: SupplierProcurement[];
}

let service: TestService;
let seen: Seen;

const readUsage = async (): Promise<Seen> => {
  const own = (await service.ok(businessesList, {}, repairer)).items.map((one) => one.id);
  const rows = (await service.control(jobsList, { limit: 500 })).items.filter((row) => own.includes(row.site.id));
  const jobs = await Promise.all(rows.map(({ id }) => service.ok(jobsGet, { identity: { id } }, repairer)));
  const ofJob = await Promise.all(
    jobs.map(async ({ id }) => {
      const job_identity = { id };
      const { items: parts } = await service.ok(partsList, { job_identity }, repairer);
      const basket = await service.ok(basketsLatestGet, { job_identity }, repairer);
      const { items: bought } = await service.ok(repairerProcurementsList, { job_identity }, repairer);
      return { parts, basket, bought };
    }),
  );
  const orders = (await service.control(procurementsList, { limit: 500 })).items;
  const sold = orders.filter((one) => one.supplier.has_credential);
  return {
    jobs,
    parts: ofJob.flatMap((one) => one.parts),
    baskets: ofJob,
    bought: ofJob.flatMap((one) => one.bought),
    sold: await Promise.all(sold.map(({ id }) => service.ok(supplierProcurementsGet, { identity: { id } }, supplier))),
  };
};

beforeAll(async () => {
  service = await startTestService();
  const [site] = (await service.ok(businessesList, {}, repairer)).items.filter((one) => one.type === "repairer_site");
  const job_identity = { external: "part with a note" };
  await service.ok(jobsInsert, { identity: job_identity, repairer_site_id: site?.id ?? "" }, repairer);
  const part = { description: "Zzz", note: "n", identity: { external_id: "p" } };
  await service.ok(partsInsert, { job_identity, parts: [part] }, repairer);
  seen = await readUsage();
});
afterAll(() => service.end());

/** Requires both null and other values, so that no check passes vacuously. */
const expectBothKnownAndNull = <T extends object>(all: readonly T[], fields: readonly (keyof T & string)[]): void => {
  for (const field of fields) {
    expect(
      all.some((one) => one[field] === null),
      `${field} is null somewhere`,
    ).toBe(true);
    expect(
      all.some((one) => one[field] !== null),
      `${field} is known somewhere`,
    ).toBe(true);
  }
};

const setOf = <T>(values: readonly T[]): Set<T> => new Set(values);

describe("every response has exactly the fields of its table", () => {
  test("Job, Image and Vehicle", () => {
    expect(seen.jobs.length).toBeGreaterThan(30);
    for (const job of seen.jobs) expectShape(job, shapes.job);
    const optional = ["claim_number", "external_id", "job_number", "vehicle", "work_provider_id"] as const;
    expectBothKnownAndNull(seen.jobs, optional);
    expect(seen.jobs.some((job) => job.images.length > 1)).toBe(true);
    const vehicles = seen.jobs.flatMap((job) => job.vehicle ?? []);
    expectBothKnownAndNull(vehicles, ["chassis_number", "plate_number", "plate_state"]);
  });

  test("Job part", () => {
    for (const part of seen.parts) expectShape(part, shapes.part);
    expectBothKnownAndNull(seen.parts, ["external_id", "ghca_id", "note"]);
    expect(setOf(seen.parts.map((part) => part.status))).toEqual(new Set(["estimated", "ordered"]));
  });

  test("Business (businesses.list) and Work provider (repairer.work-providers.list)", async () => {
    const mine = await service.ok(businessesList, {}, repairer);
    const theirs = await service.ok(businessesList, {}, supplier);
    for (const answer of [mine, theirs]) expectShape(answer, shapes.items(shapes.business));
    const providers = await service.ok(workProvidersList, {}, repairer);
    expectShape(providers, shapes.items(shapes.workProvider));
    expect(providers.items).toHaveLength(4);
  });

  test("Basket, Offer and Supplier, with only known suppliers and the job's parts", () => {
    for (const { basket, parts } of seen.baskets) {
      expectShape(basket, shapes.basket);
      const known = setOf(parts.map((part) => part.id));
      const offering = basket.offers.map((offer) => offer.supplier_business_id);
      expect(setOf(basket.suppliers.map((one) => one.business_id))).toEqual(setOf(offering));
      for (const offer of basket.offers) {
        expect(offer.job_part_ids.length).toBeGreaterThan(0);
        for (const id of offer.job_part_ids) expect(known.has(id)).toBe(true);
      }
    }
    const offers = seen.baskets.flatMap(({ basket }) => basket.offers);
    expect(setOf(offers.map((offer) => offer.sellable_id)).size).toBe(offers.length);
    expectBothKnownAndNull(offers, ["condition"]);
  });

  test("PartCondition and every used grade", () => {
    const kinds = seen.baskets.flatMap(({ basket }) =>
      basket.offers.map(({ condition }) => {
        if (condition?.type !== "used") return condition?.type ?? "open";
        const { type, payload } = condition.payload;
        return type === "panel" ? `panel ${payload}` : type;
      }),
    );
    expect(setOf(kinds)).toEqual(
      new Set([
        "open",
        "new",
        ...["grade0", "grade_a", "grade_b", "grade_c"].map((grade) => `panel ${grade}`),
        "distance_traveled",
        "operation_hours",
        "remaining_thickness",
      ]),
    );
  });

  test("D10: Procurement, buyer view (repairer.procurements.get), in all three states, with times in UTC to the millisecond", async () => {
    for (const one of seen.bought) {
      expectShape(one, shapes.buyerProcurement);
      expect(Date.parse(one.updated_at)).toBeGreaterThanOrEqual(Date.parse(one.created_at));
    }
    expect(setOf(seen.bought.map((one) => one.status))).toEqual(
      new Set(["order_requested", "order_confirmed", "cancelled"]),
    );
    expect(setOf(seen.bought.map((one) => one.total_shipping_price?.type))).toEqual(
      new Set(["absolute", "derived", undefined]),
    );
    for (const one of seen.bought.slice(0, 5))
      expect(await service.ok(repairerProcurementsGet, { identity: { id: one.id } }, repairer)).toEqual(one);
  });

  test("D53: Procurement, supplier view (supplier.procurements.get), in all three states, offered items with the stock location", () => {
    for (const one of seen.sold) expectShape(one, shapes.supplierProcurement);
    expect(setOf(seen.sold.map((one) => one.status))).toEqual(
      new Set(["order_requested", "order_confirmed", "cancelled"]),
    );
    const stock = seen.sold.flatMap((one) => one.offered_items.flatMap((item) => item.supplied_offer.inventory ?? []));
    expect(stock.some((one) => one.warehouse_id !== null)).toBe(true);
  });

  test("the open values of a requested order are null somewhere, and never in a confirmed one", () => {
    const requested = seen.bought.filter((one) => one.status !== "order_confirmed");
    const offered = requested.flatMap((one) => one.offered_items.map((item) => item.supplied_offer));
    expectBothKnownAndNull(offered, ["condition", "inventory", "trade_price"]);
    expect(requested.some((one) => one.deliver_before === null)).toBe(true);
    expect(seen.bought.some((one) => one.status === "order_confirmed")).toBe(true);
  });

  test("both views of an order differ only in the parties and the stock location", () => {
    const shared = seen.sold.flatMap((sold) => {
      const bought = seen.bought.find((one) => one.id === sold.id);
      return bought ? [{ bought, sold }] : [];
    });
    expect(shared.length).toBeGreaterThan(5);
    for (const { bought, sold } of shared) {
      const { supplier_business, supplier_organization, offered_items: buyerItems, ...buyerRest } = bought;
      const { buyer_business, buyer_organization, buyer_shipping_address, offered_items, ...supplierRest } = sold;
      expect(buyerRest).toEqual(supplierRest);
      const withoutStock = JSON.parse(JSON.stringify(offered_items).replaceAll(/,"warehouse_id":(null|"[^"]*")/g, ""));
      expect(buyerItems).toEqual(withoutStock);
      expect(new Set([supplier_organization.id, buyer_organization.id]).size).toBe(2);
    }
  });

  test("D55: every amount has the digits of its currency", () => {
    const amounts = [
      ...seen.baskets.flatMap(({ basket }) => basket.offers.map((offer) => offer.trade_price)),
      ...seen.bought.flatMap((one) => [
        ...one.offered_items.flatMap((item) => item.supplied_offer.trade_price ?? []),
        ...(one.total_shipping_price ? [one.total_shipping_price.value] : []),
      ]),
    ];
    expect(setOf(seen.bought.map((one) => one.currency_code))).toEqual(new Set(["NZD", "AUD", "GBP"]));
    for (const amount of amounts) expect(amount).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
  });
});
