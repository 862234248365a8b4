import { useMemo } from "react";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { useWorld } from "../../../app/world.ts";
import { amountText } from "../../../lib/amounts.ts";
import { announce } from "../../../lib/announce.ts";
import { useDraft } from "../../../lib/draft.ts";
import type { BasketTable, OfferView } from "./basket-table.ts";
import {
  cheapest,
  chosenIn,
  conflictsOf,
  hasRival,
  newest,
  type SingleSupplier,
  singleSuppliers,
  type Totals,
  toggled,
  totalsOf,
} from "./choosing.ts";

const none: readonly string[] = [];

export type Mark = "cheapest" | "newest";

export interface BasketChoice {
  readonly table: BasketTable;
  readonly chosen: readonly OfferView[];
  readonly isChosen: (view: OfferView) => boolean;
  readonly totals: Totals;
  /** The parts that are there to be chosen for: those no live procurement covers yet, or all of them to order again. */
  readonly openPartIds: readonly string[];
  /** How many parts a live procurement covers already. */
  readonly orderedParts: number;
  /** Whether the offer is for a part that is ordered already, and is not there to be chosen. */
  readonly isLocked: (view: OfferView) => boolean;
  /** The reference of the order the offer was taken with; null for one that was not, or not on record. */
  readonly orderOf: (view: OfferView) => string | null;
  readonly marksOf: (view: OfferView) => readonly Mark[];
  readonly toggle: (view: OfferView) => void;
  readonly chooseCheapest: () => void;
  readonly chooseNewest: () => void;
  /** Each supplier for itself: what it has for the open parts, the best first. */
  readonly singles: readonly SingleSupplier[];
  /** One supplier's offers alone. */
  readonly chooseSingle: (single: SingleSupplier) => void;
  /** All of one supplier's offers for parts not ordered yet, beside those that do not conflict. */
  readonly chooseAllOf: (supplierId: string) => void;
  readonly clear: () => void;
}

const setOf = (views: readonly OfferView[]) => new Set(views.map(({ id }) => id));

interface ChoiceOf {
  readonly jobId: string;
  readonly table: BasketTable;
  /** The job's orders that are not cancelled. */
  readonly orders: readonly BuyerProcurement[];
  /** Whether parts that are ordered already may be ordered once more. */
  readonly again: boolean;
}

/** The offers that were ordered, with what their orders are known by. */
const takenWith = (orders: readonly BuyerProcurement[]): ReadonlyMap<string, string> =>
  new Map(
    orders.flatMap(({ id, reference, offered_items }) =>
      offered_items.flatMap(({ supplied_offer: { inventory } }) =>
        inventory ? [[inventory.sellable_id, reference ?? id] as const] : [],
      ),
    ),
  );

const idsIn = (stored: unknown): readonly string[] | null =>
  Array.isArray(stored) && stored.every((id) => typeof id === "string") ? stored : null;

/** The chosen offers of a job and what can be done with them. */
export const useChoice = ({ jobId, table, orders, again }: ChoiceOf): BasketChoice => {
  // Checked against the basket whenever they are used.
  const { draft: ids, change: choose } = useDraft<readonly string[]>(
    { name: `offers.${useWorld()}.${jobId}` },
    { initial: () => none, read: idsIn, isWorth: (chosen) => chosen.length > 0 },
  );
  const chosen = useMemo(() => chosenIn(table, ids), [table, ids]);
  const totals = useMemo(() => totalsOf(table, chosen), [table, chosen]);
  const marks = useMemo(() => {
    const all = table.rows.map(({ part }) => part.id);
    return { cheapest: setOf(cheapest(table, all)), newest: setOf(newest(table, all)) };
  }, [table]);
  const ordered = useMemo(
    () => new Set(table.rows.flatMap(({ part }) => (part.status === "ordered" ? [part.id] : []))),
    [table],
  );
  const openPartIds = useMemo(
    () => table.rows.flatMap(({ part }) => (again || !ordered.has(part.id) ? [part.id] : [])),
    [table, ordered, again],
  );
  const taken = useMemo(() => takenWith(orders), [orders]);
  const singles = useMemo(() => singleSuppliers(table, openPartIds), [table, openPartIds]);
  const chosenIds = useMemo(() => setOf(chosen), [chosen]);

  const set = (views: readonly OfferView[]) => {
    choose(() => views.map(({ id }) => id));
    const { amount, parts } = totalsOf(table, views);
    announce(
      views.length === 0 ? "Nothing chosen" : `${parts} of ${table.rows.length} parts chosen, ${amountText(amount)}`,
    );
  };
  return {
    table,
    chosen,
    totals,
    openPartIds,
    orderedParts: ordered.size,
    // What was chosen before somebody ordered its part can be taken back.
    isLocked: (view) => !again && !chosenIds.has(view.id) && view.partIds.some((id) => ordered.has(id)),
    orderOf: (view) => taken.get(view.id) ?? null,
    singles,
    chooseSingle: (single) => set(single.chosen),
    isChosen: (view) => chosenIds.has(view.id),
    marksOf: (view) => {
      if (!hasRival(view, table)) return [];
      return (["newest", "cheapest"] as const).filter((mark) => marks[mark].has(view.id));
    },
    toggle: (view) => set(toggled(view, chosen)),
    chooseCheapest: () => set(cheapest(table, openPartIds)),
    chooseNewest: () => set(newest(table, openPartIds)),
    chooseAllOf: (supplierId) => {
      const open = new Set(openPartIds);
      const own =
        table.columns
          .find(({ id }) => id === supplierId)
          ?.offers.filter(({ partIds }) => partIds.every((id) => open.has(id))) ?? [];
      // Of its own offers that conflict, the one for more parts stays: it is what the supplier sells together.
      const wanted = own
        .toSorted((a, b) => a.partIds.length - b.partIds.length)
        .reduce<OfferView[]>((kept, view) => toggled(view, kept), []);
      set([...chosen.filter((view) => conflictsOf(view, wanted).length === 0 && !wanted.includes(view)), ...wanted]);
    },
    clear: () => set([]),
  };
};
