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
  equallyGood,
  hasRival,
  inBestCondition,
  singleSuppliers,
  toggled,
  totalsOf,
} from "./choosing.ts";

const none: readonly string[] = [];

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
export const useChoice = ({ jobId, table, orders, again }: ChoiceOf) => {
  // Checked against the basket whenever they are used.
  const { draft: ids, change } = useDraft<readonly string[]>(
    { name: `offers.${useWorld()}.${jobId}` },
    { initial: () => none, read: idsIn, isWorth: (chosen) => chosen.length > 0 },
  );
  const marked = useMemo(() => {
    const all = table.rows.map(({ part }) => part.id);
    return { cheapest: setOf(cheapest(table, all)), best: setOf(equallyGood(table, inBestCondition(table, all))) };
  }, [table]);
  const chosen = chosenIn(table, ids);
  const chosenIds = setOf(chosen);
  const ordered = new Set(table.rows.flatMap(({ part }) => (part.status === "ordered" ? [part.id] : [])));
  const openPartIds = table.rows.flatMap(({ part }) => (again || !ordered.has(part.id) ? [part.id] : []));
  const taken = takenWith(orders);

  const choose = (views: readonly OfferView[]) => {
    change(() => views.map(({ id }) => id));
    const { amount, parts } = totalsOf(table, views);
    announce(
      views.length === 0 ? "Nothing chosen" : `${parts} of ${table.rows.length} parts chosen, ${amountText(amount)}`,
    );
  };
  return {
    table,
    chosen,
    totals: totalsOf(table, chosen),
    /** The parts that are there to be chosen for: those no live procurement covers yet, or all of them to order again. */
    openPartIds,
    /** How many parts a live procurement covers already. */
    orderedParts: ordered.size,
    /** Each supplier for itself: what it has for the open parts, the best first. */
    singles: singleSuppliers(table, openPartIds),
    isChosen: (view: OfferView): boolean => chosenIds.has(view.id),
    /**
     * Whether the offer is for a part that is ordered already, and is not there to be chosen. What was chosen before
     * somebody ordered its part can be taken back.
     */
    isLocked: (view: OfferView): boolean =>
      !again && !chosenIds.has(view.id) && view.partIds.some((id) => ordered.has(id)),
    /** The reference of the order the offer was taken with; null for one that was not, or not on record. */
    orderOf: (view: OfferView): string | null => taken.get(view.id) ?? null,
    isCheapest: (view: OfferView): boolean => hasRival(view, table) && marked.cheapest.has(view.id),
    isBest: (view: OfferView): boolean => hasRival(view, table) && marked.best.has(view.id),
    /** These alone. */
    choose,
    toggle: (view: OfferView) => choose(toggled(view, chosen)),
  };
};

export type BasketChoice = ReturnType<typeof useChoice>;
