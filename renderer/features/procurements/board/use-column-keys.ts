import { useEffect, useRef, useState } from "react";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { useKeys } from "../../../components/use-keys.ts";

const rowToStandOn = (board: HTMLElement | null, status: ProcurementStatus) =>
  board?.querySelector<HTMLElement>(`[data-status="${status}"] [data-key][tabindex="0"]`) ?? null;

const movesColumns = ({ target }: KeyboardEvent): boolean =>
  target === document.body ||
  target === document.getElementById("place") ||
  (target instanceof Element && target.closest("[data-status]") !== null);

/**
 * Which of the board's columns the keys move in, and left and right from column to column. Keys rest while the board
 * is covered.
 */
export const useColumnKeys = (shown: readonly ProcurementStatus[], covered: boolean) => {
  const board = useRef<HTMLDivElement>(null);
  const [chosen, setCurrent] = useState<ProcurementStatus>("order_requested");
  const current = shown.includes(chosen) ? chosen : shown[0];
  const go = (aside: readonly ProcurementStatus[]) => {
    // A column without cards has nothing to stand on.
    const next = aside.find((status) => rowToStandOn(board.current, status) !== null);
    if (next === undefined) return;
    setCurrent(next);
    rowToStandOn(board.current, next)?.focus();
  };
  const at = current === undefined ? 0 : shown.indexOf(current);
  const enabled = !covered && shown.length > 1;
  useKeys("Lists", [
    {
      keys: ["left"],
      label: "Column to the left",
      enabled,
      when: movesColumns,
      run: () => go(shown.slice(0, at).toReversed()),
    },
    {
      keys: ["right"],
      label: "Column to the right",
      enabled,
      when: movesColumns,
      run: () => go(shown.slice(at + 1)),
    },
  ]);
  return { board, current, setCurrent };
};

/** Puts the focus back on the card of the procurement that was `open` on top of the board. */
export const useReturnToCard = (board: { readonly current: HTMLElement | null }, open: string | null): void => {
  const was = useRef(open);
  useEffect(() => {
    if (open === null && was.current !== null)
      board.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(was.current)}"]`)?.focus();
    was.current = open;
  }, [board, open]);
};
