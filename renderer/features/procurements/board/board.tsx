import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type ProcurementStatus, procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { Failing } from "../../../components/failing.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { useAsked } from "../../../lib/search-params.ts";
import { useAddress } from "../address.ts";
import { NarrowChips, NarrowMenu, Search, StateFilter, ViewSwitch } from "../list/controls.tsx";
import { Found, Nothing } from "../list/nothing.tsx";
import { sumOf, useLists } from "../list/use-lists.ts";
import styles from "./board.module.css";
import { BoardColumn } from "./board-column.tsx";
import { useArrivals } from "./use-arrivals.ts";

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
const useColumnKeys = (shown: readonly ProcurementStatus[], covered: boolean) => {
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
  const moving = { enabled: !covered && shown.length > 1, when: movesColumns, repeats: true };
  useKeys("Lists", [
    { ...moving, keys: ["left"], label: "Column to the left", run: () => go(shown.slice(0, at).toReversed()) },
    { ...moving, keys: ["right"], label: "Column to the right", run: () => go(shown.slice(at + 1)) },
  ]);
  return { board, current, setCurrent };
};

/** Puts the focus back on the card of the procurement that was `open` on top of the board. */
const useReturnToCard = (board: { readonly current: HTMLElement | null }, open: string | null): void => {
  const was = useRef(open);
  useEffect(() => {
    if (open === null && was.current !== null)
      board.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(was.current)}"]`)?.focus();
    was.current = open;
  }, [board, open]);
};

/** Procurements by state, a column each. It stays where it is while one of them is `open` on top of it. */
export const Board = ({ open }: { open: string | null }) => {
  const { filter } = useAddress();
  const covered = open !== null;
  const asked = useAsked(filter);
  const world = useWorld();
  const { lists, counts } = useLists(asked);
  const error = procurementStatuses.map((status) => lists[status].read.error).find((one) => one !== null) ?? null;
  const client = useQueryClient();
  const arrivals = useArrivals(covered);
  const shown = procurementStatuses.filter((status) => asked.status === null || asked.status === status);
  const { board, current, setCurrent } = useColumnKeys(shown, covered);
  useReturnToCard(board, open);
  const found = counts && sumOf(shown.map((status) => counts[status]));
  return (
    <div ref={board} className={`place ${styles.board}`} inert={covered}>
      <div className="place-head">
        <h1 className="t15">Procurements</h1>
        <Search />
        <StateFilter wide counts={counts} />
        <NarrowMenu />
        <NarrowChips />
        <span className="grow" />
        <ViewSwitch />
      </div>
      {found?.total === 0 && <Nothing filter={asked} />}
      {error && !counts && (
        <Failing
          what="The orders"
          error={error}
          onRetry={() => void client.refetchQueries({ queryKey: worldKeys(world).procurements() })}
        />
      )}
      {found?.total !== 0 && (counts || !error) && (
        <div className={styles.columns}>
          {shown.map((status) => (
            <BoardColumn
              key={status}
              status={status}
              procurements={lists[status]}
              arrival={arrivals[status]}
              current={!covered && status === current}
              onCurrent={() => setCurrent(status)}
            />
          ))}
        </div>
      )}
      <Found filter={asked} count={found} />
    </div>
  );
};
