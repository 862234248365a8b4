import type { ShippingPrice } from "../contract/resources/procurement.ts";
import type { OfferDraft } from "../rules/procurements/baskets.ts";
import { formatMinor, times } from "../rules/procurements/money.ts";
import type { OfferedItemRecord, PartRecord, SourceItemRecord } from "../rules/records.ts";

/** Offers by supplier, in the order suppliers were first chosen. */
export const groupBySupplier = (offers: readonly OfferDraft[]): Map<string, OfferDraft[]> =>
  Map.groupBy(offers, ({ supplier_business_id }) => supplier_business_id);

/**
 * `TRC-20418-1`: the site's prefix, the digits of the job number, and the order's ordinal. Numbers with few digits keep
 * their letters, because KIL-1 and DRK-1 would be the same. Without a number, the end of the job's ID: jobs of the same
 * minute share its beginning.
 */
export const orderReference = (prefix: string, jobNumber: string | null, jobId: string, ordinal: number): string => {
  const digits = jobNumber?.replace(/\D/g, "") ?? "";
  const number = digits.length < 4 ? jobNumber?.replace(/[^A-Z0-9]/gi, "").toUpperCase() : digits;
  return `${prefix}-${(digits && number?.slice(-10)) || jobId.slice(-8)}-${ordinal}`;
};

/**
 * Items of a procurement: a source item for each covered part, and an offered item for each offer. Values the offer
 * doesn't state stay null until the confirmation (D52).
 */
export const orderItems = (
  offers: readonly OfferDraft[],
  parts: readonly PartRecord[],
  newId: () => string,
): { readonly source_items: SourceItemRecord[]; readonly offered_items: OfferedItemRecord[] } => {
  const wanted = new Set(offers.flatMap((offer) => offer.job_part_ids));
  const source_items = parts
    .filter((part) => wanted.has(part.id))
    .map((part) => ({
      id: newId(),
      description: part.description,
      job_part_id: part.id,
      part_identity: null,
      quantity: part.quantity ?? 1,
    }));
  const sourceOf = new Map(source_items.map((item) => [item.job_part_id, item.id]));
  const offered_items = offers.map((offer) => ({
    id: newId(),
    fulfills_source_ids: offer.job_part_ids.flatMap((partId) => sourceOf.get(partId) ?? []),
    description: offer.name,
    quantity: offer.quantity,
    condition: offer.condition,
    inventory: { sellable_id: offer.sellable_id, warehouse_id: offer.warehouse_id },
    trade_price: offer.trade_price,
    offer: { sellable_id: offer.sellable_id, warehouse_id: offer.warehouse_id, trade_price: offer.trade_price },
  }));
  return { source_items, offered_items };
};

/** Flat price for each box of four items. */
export const shippingPrice = (itemCount: number, currency: string): ShippingPrice => ({
  type: "absolute",
  value: formatMinor(times(2_800, Math.ceil(itemCount / 4)), currency),
});
