import { useQueryClient } from "@tanstack/react-query";
import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { Failing } from "../../../components/failing.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { useDirectory } from "../../../domain/directory/directory.ts";
import { formatTotal } from "../../../lib/formatting.ts";
import { useAsked } from "../../../lib/search-params.ts";
import type { Address } from "../address.ts";
import { isFiltered } from "../address.ts";
import { NarrowChips, NarrowMenu } from "../list/narrow-menu.tsx";
import { Nothing } from "../list/nothing.tsx";
import { StateFilter } from "../list/state-filter.tsx";
import { sumOf, useLists } from "../list/use-lists.ts";
import { ViewSwitch } from "../list/view-switch.tsx";
import styles from "./board.module.css";
import { BoardColumn, ClosedColumn } from "./board-column.tsx";
import { useArrivals } from "./use-arrivals.ts";
import { useColumnKeys, useReturnToCard } from "./use-column-keys.ts";

/** Procurements by state, a column each. It stays where it is while one of them is `open` on top of it. */
export const Board = ({ address, open }: { address: Address; open: string | null }) => {
  const { filter, narrow, clear, show, hrefOf } = address;
  const covered = open !== null;
  const asked = useAsked(filter);
  const world = useWorld();
  const { lists, counts } = useLists(asked);
  const error = procurementStatuses.map((status) => lists[status].read.error).find((one) => one !== null) ?? null;
  const client = useQueryClient();
  const directory = useDirectory();
  const arrivals = useArrivals(covered);
  const shown = procurementStatuses.filter((status) => asked.status === null || asked.status === status);
  const { board, current, setCurrent } = useColumnKeys(shown, covered);
  useReturnToCard(board, open);
  const found = counts && sumOf(shown.map((status) => counts[status]));
  return (
    <div ref={board} className={`place ${styles.board}`} inert={covered}>
      <div className="place-head">
        <h1 className="t15">Procurements</h1>
        <SearchField
          label="Search orders"
          placeholder="Reference, plate, supplier"
          value={filter.search}
          onChange={(search) => narrow({ search })}
        />
        <StateFilter wide value={filter.status} counts={counts ?? null} onChange={(status) => narrow({ status })} />
        <NarrowMenu filter={filter} directory={directory} onNarrow={narrow} />
        <NarrowChips filter={filter} directory={directory} onNarrow={narrow} />
        <span className="grow" />
        <ViewSwitch view="board" onShow={show} />
      </div>
      {found?.total === 0 && <Nothing filter={asked} names={directory.names} onClear={clear} />}
      {error && !counts && (
        <Failing
          what="The orders"
          error={error}
          onRetry={() => void client.refetchQueries({ queryKey: worldKeys(world).procurements() })}
        />
      )}
      {found?.total !== 0 && (counts || !error) && (
        <div className={styles.columns}>
          {procurementStatuses.map((status) =>
            shown.includes(status) ? (
              <BoardColumn
                key={status}
                status={status}
                filter={asked}
                procurements={lists[status]}
                arrival={arrivals[status]}
                current={!covered && status === current}
                onCurrent={() => setCurrent(status)}
                alone={shown.length === 1}
                hrefOf={hrefOf}
              />
            ) : (
              <ClosedColumn
                key={status}
                status={status}
                count={counts?.[status]}
                onOpen={() => narrow({ status: null })}
              />
            ),
          )}
        </div>
      )}
      <span className="sr" role="status">
        {isFiltered(asked) && found ? `${formatTotal(found)} found` : ""}
      </span>
    </div>
  );
};
