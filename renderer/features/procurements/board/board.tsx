import { Box } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type ProcurementStatus, procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { Failing } from "../../../components/failing.tsx";
import { FilterChips, ListSearch, listWords, OpenFilters } from "../../../kernel/lists/list-place.tsx";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { useAddress } from "../address.ts";
import { useSpokenMoves } from "../detail/spoken-moves.ts";
import { orders, sumTotals, useLists, useOrderFilters } from "../list.tsx";
import styles from "./board.module.css";
import { BoardColumn } from "./board-column.tsx";

/** Returns the focus to the card of the order that was `open` above the board. */
const useReturnToCard = (board: { readonly current: HTMLElement | null }, open: string | null): void => {
  const was = useRef(open);
  useEffect(() => {
    if (open === null && was.current !== null)
      board.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(was.current)}"]`)?.focus();
    was.current = open;
  }, [board, open]);
};

/** Orders by state, one column each. Stays mounted while an order is `open` above it. */
export const OrdersBoard = ({ open }: { open: string | null }) => {
  const { state } = useAddress();
  const { debouncedFilter } = state;
  const covered = open !== null;
  const world = useWorld();
  const { lists, counts } = useLists(debouncedFilter);
  const error = procurementStatuses.map((status) => lists[status].read.error).find((one) => one !== null) ?? null;
  const client = useQueryClient();
  useSpokenMoves(covered ? null : "any");
  const shown = procurementStatuses.filter(
    (status) => debouncedFilter.status === null || debouncedFilter.status === status,
  );
  const board = useRef<HTMLDivElement>(null);
  // Arrow keys move in the column that last had focus.
  const [chosen, setCurrent] = useState<ProcurementStatus>("order_requested");
  const current = shown.includes(chosen) ? chosen : shown[0];
  useReturnToCard(board, open);
  const counted = counts && sumTotals(shown.map((status) => counts[status]));
  const filters = useOrderFilters(counts, true);
  const list = { ...orders, of: { items: [], name: "", counted }, state, filters };
  const { found, empty } = listWords(list);
  return (
    <div ref={board} className={`place ${styles.board}`} inert={covered}>
      <div className="place-head">
        <h1>{orders.title}</h1>
        <OpenFilters state={state} filters={filters} />
        <ListSearch {...list} />
        <FilterChips state={state} filters={filters} />
        <Box component="span" flex={1} />
        {orders.actions}
      </div>
      {counted?.total === 0 && empty}
      {error && !counts && (
        <Failing
          what="the orders"
          error={error}
          onRetry={() => void client.refetchQueries({ queryKey: worldKeys(world).procurements() })}
        />
      )}
      {counted?.total !== 0 && (counts || !error) && (
        <div className={styles.columns}>
          {shown.map((status) => (
            <BoardColumn
              key={status}
              status={status}
              procurements={lists[status]}
              current={!covered && status === current}
              onCurrent={() => setCurrent(status)}
            />
          ))}
        </div>
      )}
      {found}
    </div>
  );
};
