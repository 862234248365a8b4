import type { BuyerProcurement, SupplierProcurement } from "../../../../sandbox/contract/resources/procurement.ts";

/** What `supplier.procurements.confirm` will do to one field (contract, "Procurement status", and D52). */
export interface Prediction {
  readonly path: string;
  /** What it will be, in words; a moment is in `at` too. */
  readonly words: string;
  readonly at?: string;
}

const DAY = 86_400_000;

/** The same time of day so many working days later, Monday to Friday in UTC: how D52 counts. */
export const workingDaysAhead = (fromMs: number, days: number): number => {
  let at = fromMs;
  for (let left = days; left > 0; ) {
    at += DAY;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return at;
};

/** The parts of a procurement confirm looks at; either side's view has them. */
type View = Pick<BuyerProcurement | SupplierProcurement, "status" | "deliver_before" | "offered_items">;

/** What confirm would change now, in reading order; nothing unless it is requested. `nowMs` is the world's now. */
export const predictConfirm = (view: View, nowMs: number): Prediction[] => {
  if (view.status !== "order_requested") return [];
  const due = new Date(workingDaysAhead(nowMs, 3)).toISOString();
  const items = view.offered_items.flatMap(({ supplied_offer }, index): Prediction[] => {
    const path = `offered_items[${index}].supplied_offer`;
    return [
      ...(supplied_offer.condition === null ? [{ path: `${path}.condition`, words: "new" }] : []),
      ...(supplied_offer.inventory === null ? [{ path: `${path}.inventory`, words: "the offer’s stock" }] : []),
      ...(supplied_offer.trade_price === null ? [{ path: `${path}.trade_price`, words: "the offer’s price" }] : []),
    ];
  });
  return [
    { path: "status", words: "order_confirmed" },
    { path: "updated_at", words: "now" },
    ...(view.deliver_before === null ? [{ path: "deliver_before", words: "three working days ahead", at: due }] : []),
    ...items,
  ];
};

const lastStep = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** The nulls it fills in, as a sentence's object: "deliver_before, condition of 2 items"; null when there are none. */
export const fillsIn = (predictions: readonly Prediction[]): string | null => {
  const names = predictions
    .filter(({ path }) => path !== "status" && path !== "updated_at")
    .map(({ path }) => lastStep(path));
  const counted = [...new Set(names)].map((name) => {
    if (name === "deliver_before") return name;
    const count = names.filter((other) => other === name).length;
    return `${name} of ${count} ${count === 1 ? "item" : "items"}`;
  });
  return counted.length > 0 ? counted.join(", ") : null;
};

/** What is predicted under an item: the names of its fields that will be filled. */
export const filledUnder = (predictions: readonly Prediction[], path: string): string[] =>
  predictions
    .filter((prediction) => prediction.path.startsWith(`${path}.`))
    .map((prediction) => lastStep(prediction.path));
