import type { Basket } from "../../contract/resources/basket.ts";
import type { OfferChoice } from "../../contract/test-values.ts";
import { catalogueEntryFor } from "./catalogue.ts";
import { findKitRule, findPairs } from "./kits.ts";
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

interface BasketInput {
  readonly jobId: string;
  /** Alpha-3 code of the prices' currency. */
  readonly currency: string;
  readonly parts: readonly BasketPart[];
  readonly suppliers: readonly BasketSupplier[];
  /** Restriction by a test value (D93); undefined for all offers. */
  readonly only?: OfferChoice | undefined;
}

/** Offers of the supplier that covers the most parts; the first one on a tie. */
const pickOneSupplier = (offers: readonly OfferDraft[]): OfferDraft[] => {
  const bySupplier = Map.groupBy(offers, ({ supplier_business_id }) => supplier_business_id);
  const partsOf = (group: readonly OfferDraft[]): number => group.flatMap(({ job_part_ids }) => job_part_ids).length;
  const [most] = [...bySupplier.values()].toSorted((one, other) => partsOf(other) - partsOf(one));
  return most ?? [];
};

/**
 * Offers for a job's parts, ordered by part, then supplier. Deterministic: an added part never changes or removes
 * offers for the others (D43). Parts of quantity 0 get no offers. Prices are per piece, in the job's currency.
 */
export const makeBasket = ({ jobId, currency, parts: wantedParts, suppliers, only }: BasketInput): OfferDraft[] => {
  if (only === "none") return [];
  const job = { jobId, currency, level: jobPriceLevel(jobId) };
  const parts = wantedParts.filter((part) => partPieces(part) > 0);
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
      const kit = findKitRule(jobId, supplier, part.description);
      if (kit === null) return offerFor(job, supplier, part, entry) ?? [];
      return main && extra && pair.rule === kit ? kitOfferFor(job, supplier, main, extra) : [];
    });
  });
  return only === "one" ? pickOneSupplier(offers) : offers;
};

/** Contract, "Basket": the offers with every supplier that has at least one. */
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
