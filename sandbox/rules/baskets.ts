import type { Basket } from "../contract/resources/basket.ts";
import { pairsOf, soldOnlyInKit } from "./baskets/kits.ts";
import {
  type BasketPart,
  type BasketSupplier,
  kitOfferFor,
  type OfferDraft,
  offerFor,
  piecesOf,
  priceLevelOf,
} from "./baskets/offers.ts";
import { catalogueEntryFor } from "./catalogue.ts";

export type { BasketPart, BasketSupplier, OfferDraft } from "./baskets/offers.ts";

export interface BasketInput {
  readonly jobId: string;
  /** Alpha-3 code of the currency the prices are in. */
  readonly currency: string;
  readonly parts: readonly BasketPart[];
  readonly suppliers: readonly BasketSupplier[];
}

/**
 * What the sandbox's suppliers offer for the parts of a job, by part, then by supplier, in the given orders. The same
 * input always gives the same offers, and a part added later takes away or alters none of those already there (D43).
 * A part of quantity 0 gets no offers, nor does a job without parts. Prices are for one piece, in the job's currency.
 */
export const makeBasket = ({ jobId, currency, parts: asked, suppliers }: BasketInput): OfferDraft[] => {
  const job = { jobId, currency, level: priceLevelOf(jobId) };
  const parts = asked.filter((part) => piecesOf(part) > 0);
  const pairs = new Map(
    pairsOf(parts.map((part) => part.description)).map((pair) => [Math.min(pair.main, pair.extra), pair]),
  );
  return parts.flatMap((part, index) => {
    const entry = catalogueEntryFor(part.description);
    const pair = pairs.get(index);
    const main = pair && parts[pair.main];
    const extra = pair && parts[pair.extra];
    return suppliers.flatMap((supplier) => {
      const kit = soldOnlyInKit(jobId, supplier, part.description);
      if (kit === null) return offerFor(job, supplier, part, entry) ?? [];
      return main && extra && pair.rule === kit ? kitOfferFor(job, supplier, main, extra) : [];
    });
  });
};

/** The contract's basket of the offers; its suppliers are those with at least one offer. Contract, "Basket". */
export const basketOf = (
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
