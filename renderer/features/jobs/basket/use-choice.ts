import { useMemo } from "react";
import { useWorld } from "../../../app/world.ts";
import { amountText } from "../../../lib/amounts.ts";
import { announce } from "../../../lib/announce.ts";
import { useJobs } from "../jobs-store.ts";
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
  /** The parts no live procurement covers yet: what the quick picks choose for. */
  readonly openPartIds: readonly string[];
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

/** The chosen offers of a job and what can be done with them. */
export const useChoice = (jobId: string, table: BasketTable): BasketChoice => {
  const key = `${useWorld()} ${jobId}`;
  const ids = useJobs((state) => state.chosen[key]) ?? none;
  const choose = useJobs((state) => state.choose);
  const chosen = useMemo(() => chosenIn(table, ids), [table, ids]);
  const totals = useMemo(() => totalsOf(table, chosen), [table, chosen]);
  const marks = useMemo(() => {
    const all = table.rows.map(({ part }) => part.id);
    return { cheapest: setOf(cheapest(table, all)), newest: setOf(newest(table, all)) };
  }, [table]);
  const openPartIds = useMemo(
    () => table.rows.flatMap(({ part }) => (part.status === "ordered" ? [] : [part.id])),
    [table],
  );
  const singles = useMemo(() => singleSuppliers(table, openPartIds), [table, openPartIds]);
  const chosenIds = useMemo(() => setOf(chosen), [chosen]);

  const set = (views: readonly OfferView[]) => {
    choose(
      key,
      views.map(({ id }) => id),
    );
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
