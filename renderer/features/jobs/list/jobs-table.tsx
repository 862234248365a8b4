import { IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import { usePageTitle } from "../../../app/titles.ts";
import { Button } from "../../../components/button.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { PlaceHead } from "../../../components/section.tsx";
import { useRemembered } from "../../../lib/remembered.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { columnsIn, columnsNamed, usualColumns } from "./columns.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import type { ListProps } from "./jobs-list.tsx";
import { JobCount, ListSays, ListStates } from "./list-states.tsx";
import { RowsTable } from "./rows-table.tsx";
import { WhoseLine } from "./whose-line.tsx";

/** All jobs over the whole place, while none is open: with the columns that were chosen, sorted by their heads. */
export const JobsTable = ({ jobs, address, directory, onNew }: ListProps) => {
  usePageTitle("Jobs");
  const { filter, narrow, clear, hrefOf } = address;
  const [shown, show] = useRemembered("jobs.columns", usualColumns, columnsIn);
  const columns = useMemo(() => columnsNamed(shown), [shown]);
  return (
    <div className="place jobs-place-all">
      <PlaceHead
        title={
          <>
            Jobs <span className="t12 t3 jobs-count">{jobs.isKnown && <JobCount jobs={jobs} />}</span>
          </>
        }
        note={<WhoseLine filter={filter} />}
      >
        <div className="row row-1 jobs-search jobs-search-wide">
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
      <div className="jobs-table-says">
        <FilterChips filter={filter} directory={directory} onNarrow={narrow} sortedByHead />
        <ListSays jobs={jobs} />
      </div>
      <div className="list-body" aria-busy={jobs.list.isPlaceholderData}>
        <ListStates jobs={jobs} names={directory.names} onNew={onNew} onClear={clear}>
          <RowsTable
            rows={jobs.rows}
            columns={columns}
            listName={jobs.listName}
            filter={jobs.asked}
            total={jobs.atLeast ? undefined : jobs.total}
            hrefOf={hrefOf}
            onSort={narrow}
            gap={jobs.gap}
            onEndReached={jobs.more}
            onHold={jobs.hold}
          />
        </ListStates>
      </div>
    </div>
  );
};
