import { useMemo } from "react";
import { useWorld } from "../../../kernel/world/world.ts";
import { announce } from "../../../lib/announce.ts";
import { useDraft } from "../../../lib/draft.ts";
import { amountText } from "./amounts.ts";
import type { BasketTable, OfferView } from "./basket-table.ts";
import { basketTotals, findChosen, toggleOffer } from "./choosing.ts";

const none: readonly string[] = [];

const parseIds = (stored: unknown): readonly string[] | null =>
  Array.isArray(stored) && stored.every((id) => typeof id === "string") ? stored : null;

/** A job's chosen offers with their actions; they survive a reload. */
export const useChoice = (jobId: string, table: BasketTable) => {
  // Validated against the basket on every use.
  const { draft: ids, change } = useDraft<readonly string[]>(
    { name: `offers.${useWorld()}.${jobId}` },
    { initial: () => none, read: parseIds, isWorth: (chosen) => chosen.length > 0 },
  );
  const { chosen, totals, isChosen } = useMemo(() => {
    const chosen = findChosen(table, ids);
    const known = new Set(chosen);
    return { chosen, totals: basketTotals(table, chosen), isChosen: (view: OfferView) => known.has(view) };
  }, [table, ids]);
  /** Replaces the choice. */
  const choose = (views: readonly OfferView[]) => {
    change(() => views.map(({ id }) => id));
    const { amount, parts } = basketTotals(table, views);
    announce(
      views.length === 0 ? "Nothing chosen" : `${parts} of ${table.parts.size} parts chosen, ${amountText(amount)}`,
    );
  };
  return { table, chosen, totals, isChosen, choose, toggle: (view: OfferView) => choose(toggleOffer(view, chosen)) };
};

export type BasketChoice = ReturnType<typeof useChoice>;
