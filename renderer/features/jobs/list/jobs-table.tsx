import { IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import { usePageTitle } from "../../../app/titles.ts";
import { Button } from "../../../components/button.tsx";
import { Count, TableList } from "../../../components/list.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { PlaceHead } from "../../../components/section.tsx";
import { useRemembered } from "../../../lib/remembered.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { columnsIn, columnsNamed, numberColumn, usualColumns } from "./columns.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { keyOf, type ListProps } from "./jobs-list.tsx";
import styles from "./list.module.css";
import { ListSays, NoJobs } from "./list-states.tsx";
import { headed } from "./sort-head.tsx";
import { WhoseLine } from "./whose-line.tsx";

/** All jobs over the whole place, while none is open: with the columns that were chosen, sorted by their heads. */
export const JobsTable = ({ jobs, address, directory, onNew, from }: ListProps & { from: string | null }) => {
  usePageTitle("Jobs");
  const { filter, narrow, clear, hrefOf } = address;
  const [shown, show] = useRemembered("jobs.columns", usualColumns, columnsIn);
  const { sort, direction } = filter;
  const columns = useMemo(
    () => [numberColumn, ...columnsNamed(shown)].map((column) => headed(column, { sort, direction }, narrow)),
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
          <SearchField
            label="Search jobs"
            placeholder="Plate, number, claim, external id"
            value={filter.search}
            onChange={(text) => narrow({ search: text })}
          />
          <FilterMenu filter={filter} directory={directory} onNarrow={narrow} />
          <ColumnMenu shown={shown} onChange={show} />
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
