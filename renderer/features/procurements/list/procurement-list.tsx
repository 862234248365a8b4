import type { ProcurementRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { List } from "../../../components/list.tsx";
import { ListHead } from "../../../components/split.tsx";
import { State } from "../../../components/state.tsx";
import { cameBy, isStatus } from "../../../domain/procurement/words.ts";
import { formatTotal } from "../../../lib/formatting.ts";
import { useAsked } from "../../../lib/search-params.ts";
import { useAddress } from "../address.ts";
import { NarrowChips, NarrowMenu, Search, StateFilter, ViewSwitch } from "./controls.tsx";
import styles from "./list.module.css";
import { Found, Nothing } from "./nothing.tsx";
import { ProcurementRow } from "./procurement-row.tsx";
import { useJoined, useLists } from "./use-lists.ts";

// The state is part of the key: a row that changes state leaves its group and comes in at the other one.
const keyOf = (row: Row) => `${row.status}:${row.id}`;
const groupOf = (row: Row) => row.status;
const renderRow = (row: Row) => <ProcurementRow row={row} />;

/** Every procurement, grouped by state, newest first; live. */
export const ProcurementList = ({ selected }: { selected: string | null }) => {
  const { filter, hrefOf } = useAddress();
  const asked = useAsked(filter);
  const { lists, counts } = useLists(asked);
  const joined = useJoined(lists, asked.status);
  const renderGroup = (group: string) =>
    isStatus(group) && (
      <>
        <State of={group} />
        <span className="n">{counts ? formatTotal(counts[group]) : ""}</span>
        <span className="grow" />
        <span className="t12 t3">{cameBy[group]}</span>
      </>
    );
  const here = joined.items.find((row) => row.id === selected);
  return (
    <>
      <ListHead title="Procurements" actions={<ViewSwitch />}>
        <div className={`row row-1 ${styles.search}`}>
          <Search />
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
      <Found filter={asked} count={joined.counted} />
    </>
  );
};
