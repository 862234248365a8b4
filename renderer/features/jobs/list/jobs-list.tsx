import { useDebouncedValue } from "@mantine/hooks";
import { IconCar, IconPlus, IconX } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { JobRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { Failing } from "../../../components/failing.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Loading } from "../../../components/loading.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { ListHead } from "../../../components/split.tsx";
import { VirtualList } from "../../../components/virtual-list.tsx";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { useRemembered } from "../../../lib/remembered.ts";
import { useJobs } from "../jobs-store.ts";
import { jobListQuery } from "../queries.ts";
import { JobRow } from "./job-row.tsx";
import { SiteFilter, useSites } from "./site-filter.tsx";
import { shortSite } from "./site-names.ts";

const keyOf = (job: Row) => job.id;
const hrefOf = (job: Row) => hrefs.job(job.id);
const draw = (job: Row) => <JobRow job={job} />;
const parseSite = (text: string) => text;

/** Says which jobs were looked for when there are none. */
const words = (search: string, site: string | null): string =>
  [search ? `No job matches “${search}”` : "No job", site ? `at ${shortSite(site)}` : null].filter(Boolean).join(" ");

/** All jobs of the world, searched and filtered by the service, drawn only where they are in sight. */
export const JobsList = ({ selected, onNew }: { selected: string | null; onNew: () => void }) => {
  const world = useWorld();
  const { search, setSearch } = useJobs();
  const [site, setSite] = useRemembered(`jobs.site.${world}`, "", parseSite);
  const [asked] = useDebouncedValue(search.trim(), 120);
  const siteId = site || null;
  const list = useInfiniteQuery(jobListQuery(world, { search: asked, siteId }));
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const sites = useSites(rows);
  const siteName = siteId === null ? null : (sites.get(siteId) ?? "one site");
  const total = list.data?.pages[0]?.total ?? 0;
  const clear = () => {
    setSearch("");
    setSite("");
  };

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
          filter={`${asked} ${site}`}
          total={total}
          onEndReached={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      );
    }
    if (asked || siteId) {
      return (
        <NothingMatches what={words(asked, siteName)} onClear={clear}>
          Plate, number, claim, external id and chassis are searched as they are stored.
        </NothingMatches>
      );
    }
    return (
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
  };

  return (
    <>
      <ListHead
        title="Jobs"
        count={list.data ? formatCount(total) : undefined}
        actions={
          <>
            <SiteFilter rows={rows} value={siteId} onChange={(next) => setSite(next ?? "")} />
            <Button small icon={IconPlus} keys="n" onClick={onNew}>
              New
            </Button>
          </>
        }
      >
        <SearchField
          label="Search jobs"
          placeholder="Plate, number, claim, external id"
          value={search}
          onChange={setSearch}
        />
        {siteName !== null && (
          <button
            type="button"
            className="chip jobs-filter"
            onClick={() => setSite("")}
            aria-label={`Show all sites, not only ${siteName}`}
          >
            <span className="el">{siteName}</span>
            <Icon of={IconX} size={12} />
          </button>
        )}
      </ListHead>
      <div className="list-body" aria-busy={list.isFetching}>
        {body()}
      </div>
      <span className="sr" role="status">
        {asked || siteId ? `${plural(total, "job")} found` : ""}
      </span>
    </>
  );
};
