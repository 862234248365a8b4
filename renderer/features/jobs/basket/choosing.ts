import { conditionRank } from "../../../domain/procurement/condition-words.ts";
import { amountToNumber, sumAmounts } from "./amounts.ts";
import type { BasketTable, OfferView } from "./basket-table.ts";

/** Chosen offers for the same parts, which choosing this one removes. */
export const conflictingOffers = (view: OfferView, chosen: readonly OfferView[]): OfferView[] =>
  chosen.filter((other) => other.id !== view.id && other.partIds.some((id) => view.partIds.includes(id)));

/** Chooses an offer instead of conflicting ones, or removes a chosen one. */
export const toggleOffer = (view: OfferView, chosen: readonly OfferView[]): OfferView[] => {
  const gone = new Set([view, ...conflictingOffers(view, chosen)]);
  const others = chosen.filter((other) => !gone.has(other));
  return chosen.includes(view) ? others : [...others, view];
};

/** Returns the basket's offers with these IDs; of two for the same part, the earlier one. */
export const findChosen = (table: BasketTable, ids: readonly string[]): OfferView[] => {
  const covered = new Set<string>();
  return ids.flatMap((id) => {
    const view = table.offers.get(id);
    if (view === undefined || view.partIds.some((part) => covered.has(part))) return [];
    for (const part of view.partIds) covered.add(part);
    return [view];
  });
};

/** Criteria of an offer, most important first; less is better. */
type Criterion = (view: OfferView) => readonly [number, number];

const offerPrice = ({ line }: OfferView): number => (line ? amountToNumber(line) : Number.MAX_VALUE);
const offerWear = ({ offer, partIds }: OfferView): number => conditionRank(offer.condition) * partIds.length;

/** Both criteria compare a combined offer with the sum of single ones for the same parts. */
export const byPrice: Criterion = (view) => [offerPrice(view), offerWear(view)];
export const byCondition: Criterion = (view) => [offerWear(view), offerPrice(view)];

const isBetter = (view: OfferView, others: readonly OfferView[], judge: Criterion): boolean => {
  const one = judge(view);
  for (const nth of [0, 1] as const) {
    const difference = one[nth] - others.reduce((sum, other) => sum + judge(other)[nth], 0);
    if (Math.abs(difference) > 1e-9) return difference < 0;
  }
  return false;
};

/** The best offers for these parts: covers as many parts as possible, and prefers single offers to combined ones. */
export const chooseOffers = (table: BasketTable, partIds: readonly string[], judge: Criterion): OfferView[] => {
  const wanted = new Set(partIds);
  const chosen = new Map<string, OfferView>();
  const offers = [...table.offers.values()].filter((view) => view.partIds.every((id) => wanted.has(id)));
  for (const view of offers.toSorted((a, b) => a.partIds.length - b.partIds.length)) {
    const others = [...new Set(view.partIds.flatMap((id) => chosen.get(id) ?? []))];
    if (others.some((other) => other.partIds.some((id) => !view.partIds.includes(id)))) continue;
    const coversMore = view.partIds.some((id) => !chosen.has(id));
    if (coversMore || isBetter(view, others, judge)) for (const id of view.partIds) chosen.set(id, view);
  }
  return [...new Set(chosen.values())];
};

/** Returns whether the offer has rivals, and none of them has a lower value for a part. */
const isLeast = (table: BasketTable, view: OfferView, measure: (one: OfferView) => number): boolean => {
  const alternatives = view.partIds.flatMap((id) => (table.byPart.get(id) ?? []).filter((one) => one !== view));
  const own = measure(view) / view.partIds.length;
  return alternatives.length > 0 && alternatives.every((one) => own <= measure(one) / one.partIds.length + 1e-9);
};

const cheapestTogether = new WeakMap<BasketTable, ReadonlySet<OfferView>>();
/** Returns whether "Choose cheapest" takes a combined offer: it costs less than single offers for these parts. */
const isCheapestTogether = (table: BasketTable, view: OfferView): boolean => {
  if (view.partIds.length === 1) return false;
  const known = cheapestTogether.get(table) ?? new Set(chooseOffers(table, [...table.parts.keys()], byPrice));
  cheapestTogether.set(table, known);
  return known.has(view) && view.partIds.some((id) => (table.byPart.get(id) ?? []).length > 1);
};

export const isCheapest = (table: BasketTable, view: OfferView): boolean =>
  view.line !== null && (isLeast(table, view, offerPrice) || isCheapestTogether(table, view));

/** With equal conditions, no offer is the best. */
export const isBestCondition = (table: BasketTable, view: OfferView): boolean => {
  const wear = ({ offer }: OfferView): number => conditionRank(offer.condition);
  const alternatives = view.partIds.flatMap((id) => table.byPart.get(id) ?? []);
  return isLeast(table, view, offerWear) && alternatives.some((one) => wear(one) > wear(view));
};

const offersTotal = (views: readonly OfferView[]) => ({
  amount: sumAmounts(views.flatMap(({ line }) => line ?? [])),
  offers: views.length,
  parts: views.reduce((sum, { partIds }) => sum + partIds.length, 0),
});

export const basketTotals = (table: BasketTable, chosen: readonly OfferView[]) => {
  const sorted = table.columns.map(({ id, name }) => {
    const views = chosen.filter(({ offer }) => offer.supplier_business_id === id);
    return { id, name, views, total: offersTotal(views) };
  });
  const taken = sorted.filter(({ views }) => views.length > 0);
  return {
    ...offersTotal(chosen),
    bySupplier: new Map(sorted.map(({ id, total }) => [id, total])),
    /** Suppliers with a chosen offer, in the columns' order: each gets one order. */
    suppliers: taken.map(({ id, name }) => ({ id, name })),
    /** IDs of the chosen offers in the order of the request. */
    sellableIds: taken.flatMap(({ views }) => views.map(({ id }) => id)),
  };
};
