import { wearOf } from "../../../domain/procurement/condition-words.ts";
import { sizeOf, sumOf } from "../../../lib/amounts.ts";
import { plural } from "../../../lib/formatting.ts";
import type { BasketTable, OfferView } from "./basket-table.ts";

/** The chosen offers that cover a part this one covers: choosing it takes them back. */
export const conflictsOf = (view: OfferView, chosen: readonly OfferView[]): OfferView[] =>
  chosen.filter((other) => other.id !== view.id && other.partIds.some((id) => view.partIds.includes(id)));

/** Chooses an offer instead of those it conflicts with; a chosen one is taken back. */
export const toggled = (view: OfferView, chosen: readonly OfferView[]): OfferView[] => {
  if (chosen.some(({ id }) => id === view.id)) return chosen.filter(({ id }) => id !== view.id);
  const gone = new Set(conflictsOf(view, chosen));
  return [...chosen.filter((other) => !gone.has(other)), view];
};

/** The offers with these ids that are in the basket; of two that conflict, the later one stays. */
export const chosenIn = (table: BasketTable, ids: readonly string[]): OfferView[] =>
  ids.flatMap((id) => table.offers.get(id) ?? []).reduce<OfferView[]>((chosen, view) => toggled(view, chosen), []);

/** What a set of offers is judged by, the most important first; less is better. */
type Cost = readonly number[];
type Judge = (view: OfferView) => Cost;

const less = (a: Cost, b: Cost): boolean => {
  const at = a.findIndex((value, index) => Math.abs(value - (b[index] ?? 0)) > 1e-9);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
};
const added = (a: Cost, b: Cost): Cost => b.map((value, index) => value + (a[index] ?? 0));

interface Choice {
  readonly cost: Cost;
  readonly offers: readonly OfferView[];
}

/** The best offers for the parts, each part at most once: as many parts as can be, then by the judge. */
const bestFor = (partIds: readonly string[], offers: readonly OfferView[], judge: Judge): readonly OfferView[] => {
  const known = new Map<string, Choice>();
  const best = (left: readonly string[]): Choice => {
    const [part, ...others] = left;
    if (part === undefined) return { cost: [], offers: [] };
    const key = left.join();
    const found = known.get(key);
    if (found) return found;
    const without = best(others);
    const none: Cost = [1, ...judgeNothing(offers, judge)];
    let choice: Choice = { cost: added(without.cost, none), offers: without.offers };
    for (const view of offers) {
      if (!view.partIds.includes(part) || !view.partIds.every((id) => left.includes(id))) continue;
      const rest = best(others.filter((id) => !view.partIds.includes(id)));
      const cost = added(rest.cost, [0, ...judge(view)]);
      if (less(cost, choice.cost)) choice = { cost, offers: [view, ...rest.offers] };
    }
    known.set(key, choice);
    return choice;
  };
  return best(partIds).offers;
};

/** A cost of the judge's length that counts nothing. */
const judgeNothing = ([any]: readonly OfferView[], judge: Judge): Cost => (any ? judge(any).map(() => 0) : []);

/** Parts that offers tie together are decided together; all others each for itself. */
const groupsOf = (partIds: readonly string[], offers: readonly OfferView[]): string[][] => {
  const group = new Map(partIds.map((id) => [id, id]));
  for (const { partIds: covered } of offers) {
    const joined = new Set(covered.map((id) => group.get(id)));
    const [into] = joined;
    if (joined.size < 2 || into === undefined) continue;
    for (const [id, of] of group) if (joined.has(of)) group.set(id, into);
  }
  return [...new Set(group.values())].map((name) => partIds.filter((id) => group.get(id) === name));
};

const best = (table: BasketTable, partIds: readonly string[], judge: Judge): OfferView[] => {
  const wanted = new Set(partIds);
  const offers = [...table.offers.values()].filter((view) => view.partIds.every((id) => wanted.has(id)));
  return groupsOf(partIds, offers).flatMap((group) => bestFor(group, offers, judge));
};

const priceOf = ({ line }: OfferView): number => (line ? sizeOf(line) : 0);

/** The cheapest offers for these parts; of equally cheap ones the least worn. Offers without a readable price come last. */
export const cheapest = (table: BasketTable, partIds: readonly string[]): OfferView[] =>
  best(table, partIds, (view) => [
    view.line ? 0 : 1,
    priceOf(view),
    wearOf(view.offer.condition) * view.partIds.length,
  ]);

/** The least worn offers for these parts, new ones before all; of equally worn ones the cheapest. */
export const inBestCondition = (table: BasketTable, partIds: readonly string[]): OfferView[] =>
  best(table, partIds, (view) => [
    wearOf(view.offer.condition) * view.partIds.length,
    view.line ? 0 : 1,
    priceOf(view),
  ]);

/** These, and all that are for each of their parts no more worn than the one of these that covers it. */
export const equallyGood = (table: BasketTable, best: readonly OfferView[]): OfferView[] => {
  const wear = new Map(best.flatMap(({ partIds, offer }) => partIds.map((id) => [id, wearOf(offer.condition)])));
  return [...table.offers.values()].filter(({ partIds, offer }) =>
    partIds.every((id) => wearOf(offer.condition) <= (wear.get(id) ?? -1)),
  );
};

const totalOf = (views: readonly OfferView[]) => ({
  amount: sumOf(views.flatMap(({ line }) => line ?? [])),
  offers: views.length,
  parts: new Set(views.flatMap(({ partIds }) => partIds)).size,
});

/** What ordering from each supplier by itself comes to, cheapest first for each part: the one for the most parts first, of these the cheapest. */
export const singleSuppliers = (table: BasketTable, partIds: readonly string[]) =>
  table.columns
    .map(({ id, name, offers }) => {
      const own = { ...table, offers: new Map(offers.map((view) => [view.id, view])) };
      const chosen = cheapest(own, partIds);
      return { id, name, chosen, ...totalOf(chosen) };
    })
    .filter(({ parts }) => parts > 0)
    .toSorted((a, b) => b.parts - a.parts || sizeOf(a.amount) - sizeOf(b.amount));

/** Whether another offer covers one of its parts: without competition nothing is the cheapest. */
export const hasRival = (view: OfferView, table: BasketTable): boolean =>
  [...table.offers.values()].some((other) => other !== view && other.partIds.some((id) => view.partIds.includes(id)));

/** What the chosen offers come to, in all and by supplier. */
export const totalsOf = (table: BasketTable, chosen: readonly OfferView[]) => {
  const place = new Map(table.rows.map(({ part }, index) => [part.id, index]));
  const rowOf = (view: OfferView) => Math.min(...view.partIds.map((id) => place.get(id) ?? 0));
  const sorted = table.columns.map(({ id, name }) => ({
    id,
    name,
    views: chosen.filter(({ offer }) => offer.supplier_business_id === id).toSorted((a, b) => rowOf(a) - rowOf(b)),
  }));
  const taken = sorted.filter(({ views }) => views.length > 0);
  return {
    ...totalOf(chosen),
    bySupplier: new Map(sorted.map(({ id, views }) => [id, totalOf(views)])),
    /** The suppliers with a chosen offer, in the order of the columns: each gets one procurement. */
    suppliers: taken.map(({ id, name }) => ({ id, name })),
    /** The chosen offers' ids in that order, as they are sent. */
    sellableIds: taken.flatMap(({ views }) => views.map(({ id }) => id)),
  };
};

/** Why an offer cannot be chosen. */
export const ORDERED_ALREADY = "This part is already ordered. Choose “Order again” to order another.";

interface Counted {
  readonly table: { readonly rows: readonly unknown[] };
  readonly orderedParts: number;
}

/** "All 8 parts are ordered", "1 of 8 parts is ordered". */
export const orderedWords = ({ table, orderedParts }: Counted): string => {
  const all = table.rows.length;
  if (orderedParts < all)
    return `${orderedParts} of ${plural(all, "part")} ${orderedParts === 1 ? "is" : "are"} ordered`;
  return all === 1 ? "The only part is ordered" : `All ${all} parts are ordered`;
};
