import { IconArrowDown, IconArrowUp, IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Count, type ListColumn, TableList } from "../../../components/list.tsx";
import { PlaceHead } from "../../../components/section.tsx";
import { useRemembered } from "../../../lib/remembered.ts";
import { type Direction, type JobFilter, type JobSort, sorts } from "../address.ts";
import { columnsIn, columnsNamed, type JobColumn, numberColumn, usualColumns } from "./columns.tsx";
import { FilterChips, Narrowing } from "./filter-menu.tsx";
import { keyOf, type ListProps } from "./jobs-list.tsx";
import styles from "./list.module.css";
import { ListSays, NoJobs } from "./list-states.tsx";
import { ColumnMenu } from "./menus.tsx";
import { WhoseLine } from "./whose-line.tsx";

const ariaSort = { asc: "ascending", desc: "descending" } as const;

/** A column as the table has it: the head of one that the service sorts by is a button. */
const headed = (
  { sort, head, ...column }: JobColumn,
  sorted: JobSort,
  direction: Direction,
  onSort: (change: Partial<JobFilter>) => void,
): ListColumn<JobRow> => {
  if (sort === undefined) return { ...column, head };
  const on = sorted === sort;
  const words = sorts[sort];
  const next = on ? (direction === "asc" ? "desc" : "asc") : words.usual;
  return {
    ...column,
    sorted: on ? ariaSort[direction] : "none",
    head: (
      <button
        type="button"
        className={`${styles.sort} ${on ? styles.on : ""}`}
        title={`${on ? `Sorted ${words[direction]}. ` : ""}Sort ${words[next]}`}
        onClick={() => onSort({ sort, direction: next })}
      >
        {head}
        <Icon of={(on ? direction : words.usual) === "asc" ? IconArrowUp : IconArrowDown} size={12} />
      </button>
    ),
  };
};

/** All jobs over the whole place, while none is open: with the columns that were chosen, sorted by their heads. */
export const JobsTable = ({ jobs, address, directory, onNew, from }: ListProps & { from: string | null }) => {
  usePageTitle("Jobs");
  const { filter, narrow, clear, hrefOf } = address;
  const [shown, show] = useRemembered("jobs.columns", usualColumns, columnsIn);
  const { sort, direction } = filter;
  const columns = useMemo(
    () => [numberColumn, ...columnsNamed(shown)].map((column) => headed(column, sort, direction, narrow)),
    [shown, sort, direction, narrow],
  );
  return (
    <div className={`place ${styles.place}`}>
      <PlaceHead
        title={
          <>
            Jobs <span className={`t12 t3 ${styles.count}`}>{jobs.counted && <Count of={jobs.counted} />}</span>
          </>
        }
        note={<WhoseLine filter={filter} />}
      >
        <div className={`row row-1 ${styles.search} ${styles.wide}`}>
          <Narrowing
            placeholder="Plate, number, claim, external ID"
            filter={filter}
            directory={directory}
            onNarrow={narrow}
          />
          <ColumnMenu shown={shown} onShow={show} />
        </div>
        <Button small icon={IconPlus} keys="n" onClick={onNew}>
          New
        </Button>
      </PlaceHead>
      <div className={styles.says}>
        <FilterChips filter={filter} directory={directory} onNarrow={narrow} sortedByHead />
        <ListSays asked={jobs.asked} counted={jobs.counted} />
      </div>
      <TableList
        of={jobs}
        label="Jobs"
        what="the jobs"
        empty={<NoJobs asked={jobs.asked} names={directory.names} onNew={onNew} onClear={clear} />}
        keyOf={keyOf}
        hrefOf={hrefOf}
        columns={columns}
        from={from}
      />
    </div>
  );
};
