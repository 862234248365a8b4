import { EmptyState } from "@mantine/core";
import { IconCar, IconClock, IconPlus, IconShield } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { JobRow } from "../../../sandbox/contract/control/rows.ts";
import { type JobState, jobStates, procurementStatuses } from "../../../sandbox/contract/values.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { ListRow } from "../../components/list-row.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { State, type StateName } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { useDirectory } from "../../domain/directory/directory.ts";
import { Plate } from "../../domain/job/plate.tsx";
import type { ListFilter } from "../../kernel/lists/list-place.tsx";
import type { LiveListQuery } from "../../kernel/lists/live-list.ts";
import type { TableColumn } from "../../kernel/lists/table-place.tsx";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { organizationsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatClock, formatCount, formatDay } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { nowOn } from "../../lib/world-clock.ts";
import { type Inserted, insertedText, type JobFilter, parseInserted } from "./address.ts";
import { fieldNames, jobField } from "./fields.tsx";
import { jobName } from "./job-name.ts";

/** The filtered jobs in order. */
export const jobList = (world: string, filter: JobFilter): LiveListQuery<JobRow> => {
  const { search, state, organization, site, insurer, inserted, sort, direction } = filter;
  const request = {
    ...{ world, sort, direction },
    ...(search ? { search } : {}),
    ...(state ? { state } : {}),
    ...(organization ? { organization_id: organization } : {}),
    ...(site ? { site_id: site } : {}),
    ...(insurer ? { work_provider_id: insurer } : {}),
    ...(inserted && parseInserted(inserted)),
  };
  return {
    queryKey: worldKeys(world).jobs("list", filter),
    read: (from, signal) => callControl("jobs.list", { ...request, ...from }, { signal }),
  };
};

const stateLabels: Readonly<Record<JobState, readonly [word: string, mark: StateName, phrase: string]>> = {
  no_parts: ["no parts", "skipped", "is without parts"],
  estimated: ["estimated", "estimated", "is estimated"],
  order_requested: ["order requested", "order_requested", "has a requested order"],
  order_confirmed: ["order confirmed", "order_confirmed", "has all orders confirmed"],
};
const states = jobStates.map((id) => {
  const [name, mark, phrase] = stateLabels[id];
  const shown = (
    <State key={id} of={mark}>
      {name}
    </State>
  );
  return { id, name, phrase, shown, chip: shown };
});

const MINUTE = 60_000;
const spans = [
  ["the last hour", 60],
  ["the last 24 hours", 24 * 60],
  ["the last 7 days", 7 * 24 * 60],
] as const;

const minute = (iso: string): string => `${formatDay(iso, nowOn("world"))} ${formatClock(iso).slice(0, 5)}`;

/** "since Tue 17 Mar 10:00". */
const insertedLabel = ({ from, to }: Inserted): string => {
  if (from && to) return `between ${minute(from)} and ${minute(to)}`;
  return from ? `since ${minute(from)}` : `before ${minute(to ?? "")}`;
};

/** Filter by insertion time: a few spans, stored in the address by their start, or a custom range. */
const insertedFilter = (inserted: string | null, onBetween: () => void): ListFilter<JobFilter> => {
  const now = Math.floor(nowOn("world") / MINUTE) * MINUTE;
  const chosen = inserted && parseInserted(inserted);
  const offered = spans.map(([name, minutes]) => ({
    id: insertedText({ from: new Date(now - minutes * MINUTE).toISOString() }),
    name,
  }));
  const others = offered.filter(({ id }) => id !== inserted);
  return {
    ...{ of: "inserted", title: "Inserted", all: "times" },
    options: inserted && chosen ? [{ id: inserted, name: insertedLabel(chosen) }, ...others] : offered,
    mark: <Icon of={IconClock} size={12} />,
    phrase: (name) => `was inserted ${name}`,
    more: { label: "Between…", run: onBetween },
  };
};

/** Filters of the list. @param onBetween opens the dialog for a custom range */
export const useJobFilters = (inserted: string | null, onBetween: () => void): readonly ListFilter<JobFilter>[] => {
  const { sites, insurers } = useDirectory();
  const repairers = useQuery(organizationsQuery(useWorld())).data?.filter(({ scope }) => scope === "repairer") ?? [];
  return [
    {
      ...{ of: "state", title: "State", all: "states", options: states },
      phrase: (_, id) => states.find((one) => one.id === id)?.phrase ?? "",
    },
    {
      ...{ of: "organization", title: "Repairer", all: "repairers", options: repairers },
      mark: <SideGlyph side="repairer" />,
      phrase: (name) => `is of ${name}`,
    },
    {
      ...{ of: "site", title: "Site", all: "sites", options: sites },
      mark: <SideGlyph side="repairer" />,
      phrase: (name) => `is at ${name}`,
    },
    {
      ...{ of: "insurer", title: "Insurer", all: "insurers", options: insurers },
      mark: <Icon of={IconShield} size={12} />,
      phrase: (name) => `is for ${name}`,
    },
    insertedFilter(inserted, onBetween),
  ];
};

/** A job's progress: its orders by state, or the missing step. */
const Standing = ({ job }: { job: JobRow }) => {
  const counted = procurementStatuses.filter((status) => job.procurements[status] > 0);
  if (counted.length === 0) return <span data-variant="dim">{job.parts === 0 ? "no parts" : "not ordered"}</span>;
  return counted.map((status) => (
    <State key={status} of={status} title={`${job.procurements[status]} ${status}`}>
      {job.procurements[status]}
      <span className="sr"> {status}</span>
    </State>
  ));
};

export const jobColumns: readonly TableColumn<JobRow>[] = [
  ...fieldNames.flatMap((name) => {
    const { words: head, width, shown: cell, sort } = jobField(name);
    return width && cell ? [{ head, width, cell, ...(sort ? { sort } : {}) }] : [];
  }),
  {
    ...{ head: "Parts", width: 60, right: true },
    cell: ({ parts }) => (parts === 0 ? <span data-variant="dim">0</span> : formatCount(parts)),
  },
  { head: "Orders", width: 110, cell: (row) => <Standing job={row} /> },
  { head: "Last changed", width: 112, sort: "updated", cell: (row) => <Time at={row.updated_at} /> },
];

/** "Tarn & Rowe, Penrose" → "Penrose": enough among sites of one group. */
const shortSite = (name: string): string => name.split(", ").at(-1) ?? name;

/**
 * A job in the list: label, last change, site, insurer, progress. Sites of this window's organization are shortened;
 * others keep the name that identifies them.
 */
export const JobLines = ({ job, mine }: { job: JobRow; mine: boolean }) => (
  <ListRow
    title={
      <>
        {jobName(job) === null ? (
          <span data-variant="dim" style={{ whiteSpace: "nowrap" }}>
            no number
          </span>
        ) : (
          <span className="cut">{jobName(job)}</span>
        )}
        <Plate plate={job.plate_number} state={job.plate_state} />
      </>
    }
    aside={<Time at={job.updated_at} />}
    detail={[mine ? shortSite(job.site.name) : job.site.name, job.work_provider?.name].filter(Boolean).join(", ")}
    state={<Standing job={job} />}
  />
);

export const NoJobs = ({ onNew }: { onNew: () => void }) => (
  <EmptyState
    icon={<IconCar />}
    title="No jobs yet"
    description="Create a job here, or send repairer.jobs.insert from your own program. Then add parts, choose offers and place orders."
  >
    <EmptyState.Actions>
      <Button small needs="act" icon={IconPlus} keys="n" onClick={onNew}>
        New job
      </Button>
    </EmptyState.Actions>
  </EmptyState>
);
