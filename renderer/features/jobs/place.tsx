import { ActionIcon } from "@mantine/core";
import { IconPlus, IconTable } from "@tabler/icons-react";
import type { QueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { Link } from "wouter";
import type { JobRow } from "../../../sandbox/contract/control/rows.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { directoryQuery } from "../../domain/directory/directory.ts";
import { useFormAddress } from "../../kernel/addresses/form-address.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { useActAs } from "../../kernel/credentials/acting.ts";
import { ListPlace, useListFilter } from "../../kernel/lists/list-place.tsx";
import { pagesOf, useLiveList } from "../../kernel/lists/live-list.ts";
import { TablePlace } from "../../kernel/lists/table-place.tsx";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { credentialsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { late } from "../../lib/late.ts";
import { readInitialFilter } from "../../lib/search-params.ts";
import { insertedText, jobOrder, jobParams, parseInserted, sorts } from "./address.ts";
import { JobDetail } from "./detail/job-detail.tsx";
import { JobLines, jobColumns, jobList, NoJobs, useJobFilters } from "./list.tsx";

// Loaded on demand.
const NewJobDialog = late(async () => (await import("./late.ts")).NewJobDialog).Part;
const BetweenForm = late(async () => (await import("./between.tsx")).BetweenForm).Part;

const AsTable = () => (
  <ActionIcon
    component={Link}
    href="/jobs"
    variant="subtle"
    size="sm"
    aria-label="All jobs as a table"
    title="All jobs as a table"
  >
    <Icon of={IconTable} />
  </ActionIcon>
);

/** All jobs as a table, or beside an open one. The same rows, so that opening one loads nothing again. */
const JobsFrame = ({ selected, detail, onNew }: { selected: string | null; detail: ReactNode; onNew: () => void }) => {
  const state = useListFilter(jobParams, "jobs", { order: jobOrder });
  const { debouncedFilter, query } = state;
  const rows = useLiveList(jobList(useWorld(), debouncedFilter));
  const [asksBetween, setAsksBetween] = useState(false);
  const filters = useJobFilters(state.filter.inserted, () => setAsksBetween(true));
  const actingId = useActAs("repairer").credential?.organization_id;
  const hrefOf = useCallback(({ id }: JobRow) => hrefs.job(id) + query, [query]);
  const render = useCallback(
    (job: JobRow) => <JobLines job={job} mine={job.organization_id === actingId} />,
    [actingId],
  );
  const [last, setLast] = useState(selected);
  if (selected !== null && selected !== last) setLast(selected);
  const covers = "Search covers plate, number, claim, external ID, chassis number and ID.";
  const create = (
    <Button small needs="act" icon={IconPlus} keys="n" onClick={onNew}>
      New
    </Button>
  );
  const list = {
    of: rows,
    title: "Jobs",
    nouns: ["job", "jobs"],
    state,
    filters,
    hrefOf,
    empty: <NoJobs onNew={onNew} />,
  } as const;
  const between = (
    <Dialog opened={asksBetween} onClose={() => setAsksBetween(false)} title="Jobs inserted between">
      <BetweenForm
        {...parseInserted(state.filter.inserted ?? "")}
        onChoose={(range) => {
          state.narrow({ inserted: insertedText(range) });
          setAsksBetween(false);
        }}
      />
    </Dialog>
  );
  if (selected === null)
    return (
      <>
        <TablePlace
          {...list}
          search={["Search jobs", "Plate, number, claim, external ID", covers]}
          columns={jobColumns}
          sorts={sorts}
          actions={create}
          from={last}
        />
        {between}
      </>
    );
  return (
    <>
      {between}
      <ListBesideDetail
        name="jobs"
        label="Jobs"
        list={
          <ListPlace
            {...list}
            search={["Search jobs", "Plate, number, claim…", covers]}
            actions={
              <>
                <AsTable />
                {create}
              </>
            }
            render={render}
            selected={selected}
          />
        }
        detail={detail}
      />
    </>
  );
};

/** The place Jobs: all as a table, or beside one job with its parts, basket and orders. */
export const Place = ({ id, tab }: PlaceProps) => {
  const form = useFormAddress("new");
  useKeys("Jobs", [{ keys: ["n"], label: "New job", needs: "act", run: form.open }]);
  return (
    <>
      <JobsFrame selected={id ?? null} onNew={form.open} detail={id && <JobDetail key={id} id={id} tab={tab} />} />
      {form.isNeeded && <NewJobDialog opened={form.opened} onClose={form.close} />}
    </>
  );
};

/** Loads the list before the page is drawn. */
export const prefetch = (client: QueryClient, world: string) => [
  client.prefetchInfiniteQuery(pagesOf(jobList(world, readInitialFilter(jobParams, "jobs")))),
  client.prefetchQuery(directoryQuery(world)),
  client.prefetchQuery(credentialsQuery(world)),
];
