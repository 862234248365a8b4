import type { Basket } from "../../contract/resources/basket.ts";
import type { OfferChoice } from "../../contract/test-values.ts";
import { catalogueEntryFor } from "./catalogue.ts";
import { findPairs, soldOnlyInKit } from "./kits.ts";
import {
  type BasketPart,
  type BasketSupplier,
  jobPriceLevel,
  kitOfferFor,
  type OfferDraft,
  offerFor,
  partPieces,
} from "./offers.ts";

export type { BasketPart, BasketSupplier, OfferDraft } from "./offers.ts";

export interface BasketInput {
  readonly jobId: string;
  /** Alpha-3 code of the currency the prices are in. */
  readonly currency: string;
  readonly parts: readonly BasketPart[];
  readonly suppliers: readonly BasketSupplier[];
  /** What a test value leaves of it (D93); undefined: all. */
  readonly only?: OfferChoice | undefined;
}

/** The offers of the supplier that has one for the most parts, of several the first. */
const ofOneSupplier = (offers: readonly OfferDraft[]): OfferDraft[] => {
  const bySupplier = Map.groupBy(offers, ({ supplier_business_id }) => supplier_business_id);
  const partsOf = (group: readonly OfferDraft[]): number => group.flatMap(({ job_part_ids }) => job_part_ids).length;
  const [most] = [...bySupplier.values()].toSorted((one, other) => partsOf(other) - partsOf(one));
  return most ?? [];
};

/**
 * What the sandbox's suppliers offer for the parts of a job, by part, then by supplier, in the given orders. The same
 * input always gives the same offers, and a part added later takes away or alters none of those already there (D43).
 * A part of quantity 0 gets no offers, nor does a job without parts. Prices are for one piece, in the job's currency.
 */
export const makeBasket = ({ jobId, currency, parts: asked, suppliers, only }: BasketInput): OfferDraft[] => {
  if (only === "none") return [];
  const job = { jobId, currency, level: jobPriceLevel(jobId) };
  const parts = asked.filter((part) => partPieces(part) > 0);
  const pairs = new Map(
    findPairs(parts.map((part) => part.description)).map((pair) => [Math.min(pair.main, pair.extra), pair]),
  );
  const offers = parts.flatMap((part, index) => {
    const entry = catalogueEntryFor(part.description);
    const pair = pairs.get(index);
    const main = pair && parts[pair.main];
    const extra = pair && parts[pair.extra];
    return suppliers.flatMap((supplier) => {
      if (only === "used") return offerFor(job, supplier, part, entry, "used") ?? [];
      const kit = soldOnlyInKit(jobId, supplier, part.description);
      if (kit === null) return offerFor(job, supplier, part, entry) ?? [];
      return main && extra && pair.rule === kit ? kitOfferFor(job, supplier, main, extra) : [];
    });
  });
  return only === "one" ? ofOneSupplier(offers) : offers;
};

/** The contract's basket of the offers; its suppliers are those with at least one offer. Contract, "Basket". */
export const buildBasket = (
  drafts: readonly OfferDraft[],
  suppliers: readonly Pick<BasketSupplier, "business_id" | "name">[],
): Basket => {
  const offering = new Set(drafts.map((draft) => draft.supplier_business_id));
  return {
    offers: drafts.map(({ warehouse_id: _kept, ...offer }) => offer),
    suppliers: suppliers
      .filter(({ business_id }) => offering.has(business_id))
      .map(({ business_id, name }) => ({ business_id, name })),
  };
};
