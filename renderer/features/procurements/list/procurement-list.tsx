import { useCallback } from "react";
import type { ProcurementRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { List } from "../../../components/list.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { ListHead } from "../../../components/split.tsx";
import { State } from "../../../components/state.tsx";
import { isStatus } from "../../../domain/procurement/words.ts";
import { formatTotal } from "../../../lib/formatting.ts";
import { useAsked } from "../../../lib/search-params.ts";
import { isFiltered, useAddress } from "../address.ts";
import styles from "./list.module.css";
import { NarrowChips, NarrowMenu } from "./narrow-menu.tsx";
import { Nothing } from "./nothing.tsx";
import { ProcurementRow } from "./procurement-row.tsx";
import { StateFilter } from "./state-filter.tsx";
import { useJoined, useLists } from "./use-lists.ts";
import { ViewSwitch } from "./view-switch.tsx";

// The state is part of the key: a row that changes state leaves its group and comes in at the other one.
const keyOf = (row: Row) => `${row.status}:${row.id}`;
const groupOf = (row: Row) => row.status;
const renderRow = (row: Row) => <ProcurementRow row={row} />;

/** Every procurement, grouped by state, newest first; live. */
export const ProcurementList = ({ selected }: { selected: string | null }) => {
  const { filter, narrow, hrefOf } = useAddress();
  const asked = useAsked(filter);
  const { lists, counts } = useLists(asked);
  const joined = useJoined(lists, asked.status);
  const { counted } = joined;
  const renderGroup = useCallback(
    (group: string) =>
      isStatus(group) ? (
        <>
          <State of={group} />
          <span className="n">{counts ? formatTotal(counts[group]) : ""}</span>
        </>
      ) : null,
    [counts],
  );
  const here = joined.items.find((row) => row.id === selected);
  return (
    <>
      <ListHead title="Procurements" actions={<ViewSwitch />}>
        <div className={`row row-1 ${styles.search}`}>
          <SearchField
            label="Search orders"
            placeholder="Reference, plate, supplier"
            value={filter.search}
            onChange={(search) => narrow({ search })}
          />
          <NarrowMenu />
        </div>
        <StateFilter counts={counts} />
        <NarrowChips />
      </ListHead>
      <List
        of={joined}
        label="Orders"
        what="the orders"
        empty={<Nothing filter={asked} />}
        keyOf={keyOf}
        hrefOf={hrefOf}
        render={renderRow}
        groupOf={groupOf}
        renderGroup={renderGroup}
        selected={here ? keyOf(here) : null}
      />
      <span className="sr" role="status">
        {isFiltered(asked) && counted ? `${formatTotal(counted)} found` : ""}
      </span>
    </>
  );
};
