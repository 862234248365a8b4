import { useDebouncedValue } from "@mantine/hooks";
import { IconCar, IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { JobRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { Failing } from "../../../components/failing.tsx";
import { Loading } from "../../../components/loading.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { ListHead } from "../../../components/split.tsx";
import { VirtualList } from "../../../components/virtual-list.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { jobListQuery } from "../queries.ts";
import { isFiltered, isSorted } from "./address.ts";
import { FilterChips } from "./filter-chips.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { JobRow } from "./job-row.tsx";
import { SortMenu } from "./sort-menu.tsx";
import { useAddress } from "./use-address.ts";
import { useDirectory } from "./use-directory.ts";
import { foundWords, noneWords } from "./words.ts";

const keyOf = (job: Row) => job.id;
const draw = (job: Row) => <JobRow job={job} />;

const Count = ({ total, atLeast }: { total: number; atLeast: boolean }) =>
  atLeast ? (
    <>
      <span aria-hidden="true">{formatCount(total)}+</span>
      <span className="sr">at least {formatCount(total)}</span>
    </>
  ) : (
    formatCount(total)
  );

const NoJobs = ({ onNew }: { onNew: () => void }) => (
  <NothingYet
    icon={IconCar}
    title="No jobs yet"
    actions={
      <Button small icon={IconPlus} keys="n" onClick={onNew}>
        New job
      </Button>
    }
  >
    A job comes through repairer.jobs.insert: from a partner’s program, or from here.
  </NothingYet>
);

/** All jobs of the world, searched, filtered and sorted by the service, drawn only where they are in sight. */
export const JobsList = ({ selected, onNew }: { selected: string | null; onNew: () => void }) => {
  const { filter, narrow, clear, hrefOf } = useAddress();
  const directory = useDirectory();
  const [search] = useDebouncedValue(filter.search.trim(), 120);
  const asked = useMemo(() => ({ ...filter, search }), [filter, search]);
  const list = useInfiniteQuery(jobListQuery(useWorld(), asked));
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const [first] = list.data?.pages ?? [];
  const total = first?.total ?? 0;
  const atLeast = first?.total_is_minimum ?? false;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const body = () => {
    if (list.isPending) return <Loading what="jobs" rows={8} />;
    if (list.error && rows.length === 0)
      return <Failing what="Jobs" error={list.error} onRetry={() => void list.refetch()} />;
    if (rows.length > 0) {
      return (
        <VirtualList
          label="Jobs"
          items={rows}
          keyOf={keyOf}
          hrefOf={hrefOf}
          render={draw}
          selected={selected}
          filter={JSON.stringify(asked)}
          onEndReached={more}
          {...(atLeast ? {} : { total })}
        />
      );
    }
    if (!isFiltered(asked)) return <NoJobs onNew={onNew} />;
    return (
      <NothingMatches what={noneWords(asked, directory.names)} onClear={clear}>
        {asked.search !== "" && "Plate, number, claim, external id, chassis and id are searched."}
      </NothingMatches>
    );
  };

  return (
    <>
      <ListHead
        title="Jobs"
        count={first && <Count total={total} atLeast={atLeast} />}
        actions={
          <Button small icon={IconPlus} keys="n" onClick={onNew}>
            New
          </Button>
        }
      >
        <div className="row row-1 jobs-search">
          <SearchField
            label="Search jobs"
            placeholder="Plate, number, claim, external id"
            value={filter.search}
            onChange={(text) => narrow({ search: text })}
          />
          <FilterMenu filter={filter} directory={directory} onNarrow={narrow} />
          <SortMenu filter={filter} onNarrow={narrow} />
        </div>
        <FilterChips filter={filter} directory={directory} onNarrow={narrow} />
        {atLeast && isSorted(asked) && (
          <p className="t12 t3">Too many to sort: what changed last comes first. Search for more of the text.</p>
        )}
      </ListHead>
      <div className="list-body" aria-busy={list.isFetching}>
        {body()}
      </div>
      <span className="sr" role="status">
        {isFiltered(asked) && first ? foundWords(total, atLeast) : ""}
      </span>
    </>
  );
};
