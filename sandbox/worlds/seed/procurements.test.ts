import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { BuyerProcurement } from "../../contract/resources/procurement.ts";
import { makeBasket } from "../../rules/procurements/baskets.ts";
import type { ProcurementRecord } from "../../rules/records.ts";
import { buildSeedWorld } from "./seed-world.ts";

const { businesses, jobs, procurements } = buildSeedWorld();
const stamp = (relative: number): string => new Date(Date.UTC(2026, 2, 12) + relative).toISOString();

const found = <T extends { readonly id: string }>(list: readonly T[], id: string): T => {
  const one = list.find((item) => item.id === id);
  if (!one) throw new Error(`nothing has the id ${id}`);
  return one;
};
const business = (id: string) => found(businesses, id);
const jobOf = (procurement: ProcurementRecord) => found(jobs, procurement.job_id);
const suppliers = businesses.flatMap(({ id, organization_id, name, supplier_kind }) =>
  supplier_kind ? [{ business_id: id, organization_id, name, kind: supplier_kind }] : [],
);
const duplicates = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe("the seeded orders", () => {
  it("have the contract's shape for their state", () => {
    for (const one of procurements) {
      const { id, job_id, status, currency_code, reference, total_shipping_price, vehicle } = one;
      const shape = {
        id,
        job_id,
        status,
        currency_code,
        reference,
        total_shipping_price,
        vehicle,
        created_at: stamp(one.created_at),
        updated_at: stamp(one.updated_at),
        deliver_before: one.deliver_before === null ? null : stamp(one.deliver_before),
        supplier_business: { id: one.supplier_business_id, name: one.supplier_business_name },
        supplier_organization: { id: one.supplier_organization_id },
        source_items: one.source_items.map(({ id: itemId, ...buyer_part }) => ({
          id: itemId,
          type: "buyer_requested",
          buyer_part,
        })),
        offered_items: one.offered_items.map(
          ({ id: itemId, fulfills_source_ids, description, quantity, condition, inventory, trade_price }) => ({
            id: itemId,
            fulfills_source_ids,
            supplied_offer: { type: "single", description, quantity, condition, inventory, trade_price },
          }),
        ),
      };
      expect(Check(BuyerProcurement, shape), reference ?? id).toBe(true);
    }
  });

  it("consist of offers of their job's own basket", () => {
    for (const one of procurements) {
      const job = jobOf(one);
      const site = business(job.repairer_site_id);
      const offers = makeBasket({ jobId: job.id, currency: site.currency_code ?? "", parts: job.parts, suppliers });
      expect(one.offered_items.length, one.reference ?? "").toBeGreaterThan(0);
      for (const item of one.offered_items) {
        const offer = offers.find((draft) => draft.sellable_id === item.offer.sellable_id);
        expect(offer?.supplier_business_id).toBe(one.supplier_business_id);
        expect(item.offer).toEqual({
          sellable_id: offer?.sellable_id,
          warehouse_id: offer?.warehouse_id,
          trade_price: offer?.trade_price,
        });
        const covered = item.fulfills_source_ids.map(
          (sourceId) => one.source_items.find((source) => source.id === sourceId)?.job_part_id,
        );
        expect(covered).toEqual(offer?.job_part_ids);
      }
      for (const source of one.source_items)
        expect(job.parts.find((part) => part.id === source.job_part_id)?.description).toBe(source.description);
    }
  });

  it("have their job's site as buyer, with its currency and address, and rising references", () => {
    for (const one of procurements) {
      const job = jobOf(one);
      const site = business(job.repairer_site_id);
      expect([one.buyer_organization_id, one.buyer_business_id, one.currency_code]).toEqual([
        job.organization_id,
        site.id,
        site.currency_code,
      ]);
      expect(one.buyer_shipping_address).toEqual(site.address);
      expect(business(one.supplier_business_id).organization_id).toBe(one.supplier_organization_id);
      expect(business(one.supplier_business_id).name).toBe(one.supplier_business_name);
      expect(one.created_at).toBeGreaterThan(job.created_at);
      expect(one.updated_at).toBeGreaterThanOrEqual(one.created_at);
      expect(one.updated_at).toBeLessThanOrEqual(job.updated_at);
      const before = procurements.filter((other) => other.job_id === one.job_id && other.created_at <= one.created_at);
      expect(one.reference).toBe(
        `${site.reference_prefix}-${job.job_number?.replace(/\D/g, "")}-${before.indexOf(one) + 1}`,
      );
    }
  });

  it("buy each part once, and exactly these parts are ordered", () => {
    const live = procurements
      .filter((one) => one.status !== "cancelled")
      .flatMap((one) => one.source_items.map((item) => item.job_part_id ?? ""));
    expect(duplicates(live)).toEqual([]);
    for (const part of jobs.flatMap((job) => job.parts))
      expect(part.status).toBe(live.includes(part.id) ? "ordered" : "estimated");
  });
});
