import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../app/places.ts";
import { useUi } from "../../app/ui-store.ts";
import { useWorld } from "../../app/world.ts";
import { RECENT_REQUESTS, recentRequestsQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { TextLink } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { useNarrow } from "../../components/use-narrow.ts";
import { formatMs } from "../../lib/formatting.ts";
import { isRead } from "./calls.ts";
import { type TraceDeliveries, useTraceDeliveries } from "./trace-deliveries.ts";

/** Whether the call changed something: what was answered 200 and is no known read. */
const changed = (row: RequestRow) => row.status === 200 && row.operation !== null && !isRead(row);

const Call = ({ row }: { row: RequestRow }) => {
  const showInWire = useUi((state) => state.showInWire);
  return (
    <button type="button" className="row opn" onClick={() => showInWire(row.id)} title="Show it on the wire">
      <SideGlyph side={row.side} labelled />
      <span className="op el">{row.operation ?? row.path}</span>
    </button>
  );
};

/** What the call was about, by the name a person knows it by. */
const Touched = ({ row: { job_id, procurement_id, label } }: { row: RequestRow }) => {
  if (label === null || job_id === null) return <span className="t3">–</span>;
  const href = procurement_id === null ? hrefs.job(job_id) : hrefs.procurement(procurement_id);
  return <TextLink href={href}>{label}</TextLink>;
};

/** How far its events have come. */
const Deliveries = ({ of: counts }: { of: TraceDeliveries | null | undefined }) => {
  if (counts === null) return <span className="t3">none due</span>;
  if (counts === undefined) return <span className="t3">–</span>;
  const { all, delivered, failed } = counts;
  const state = failed > 0 ? "failed" : delivered === all ? "delivered" : "pending";
  return (
    <State of={state} title={`${delivered} of ${all} delivered${failed > 0 ? `, ${failed} failed` : ""}`}>
      <span className="sr">{state} </span>
      {delivered} of {all}
    </State>
  );
};

/** Narrower than this the table leaves out what the wire tells as well. */
const ALL_COLUMNS_FROM = 900;

const columnsFor = (deliveriesOf: ReturnType<typeof useTraceDeliveries>): readonly Column<RequestRow>[] => [
  {
    key: "at",
    head: "Time",
    width: "84px",
    cell: (row) => (
      <span className="t12 t3">
        <Time at={row.at} as="clock" on="real" />
      </span>
    ),
  },
  { key: "operation", head: "Operation", width: "240px", cell: (row) => <Call row={row} /> },
  { key: "touched", head: "Touched", width: "116px", cell: (row) => <Touched row={row} /> },
  {
    key: "outcome",
    head: "What changed",
    cell: (row) => (
      <span className="t2" title={row.outcome}>
        {row.outcome}
      </span>
    ),
  },
  {
    key: "events",
    head: "Events",
    width: "60px",
    right: true,
    cell: (row) => <span className={row.events === 0 ? "t3" : ""}>{row.events}</span>,
  },
  { key: "deliveries", head: "Deliveries", width: "92px", cell: (row) => <Deliveries of={deliveriesOf(row)} /> },
  {
    key: "ms",
    head: "Took",
    width: "76px",
    right: true,
    cell: (row) => <span className="t2">{formatMs(row.duration_ms)}</span>,
  },
  { key: "status", head: "Status", width: "76px", cell: (row) => <HttpStatus status={row.status} /> },
];
const WIDE_ONLY: readonly string[] = ["events", "ms"];

type Kinds = "changes" | "everything";
const kinds = [
  { value: "changes", label: "Changes" },
  { value: "everything", label: "Everything" },
] as const;

/** What reached the service last, as it happens; each opens on the wire. */
export const LatestTraces = () => {
  const { data, error, refetch } = useQuery(recentRequestsQuery(useWorld()));
  const [shows, setShows] = useState<Kinds>("changes");
  const box = useRef<HTMLElement>(null);
  const narrow = useNarrow(box, ALL_COLUMNS_FROM);
  const columns = columnsFor(useTraceDeliveries()).filter(({ key }) => !narrow || !WIDE_ONLY.includes(key));
  const selected = useUi((state) => (state.wireOpen ? state.wireShows : null));
  const rows = (data?.items ?? []).filter((row) => shows === "everything" || changed(row)).slice(0, 40);
  return (
    <section ref={box} className="overview-traces" aria-label="Latest traces">
      <div className="sec">
        <h2>Latest traces</h2>
        <span className="t12 t3">as they happen, from anyone</span>
        <span className="r">
          <Segmented label="Which traces" options={kinds} value={shows} onChange={setShows} />
        </span>
      </div>
      <div className="scroll grow">
        {error ? (
          <Failing what="The latest traces" error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading what="the latest traces" rows={5} />
        ) : rows.length > 0 ? (
          <Table caption="Latest traces" columns={columns} rows={rows} rowKey={(row) => row.id} selected={selected} />
        ) : data.items.length > 0 ? (
          <NothingYet
            icon={IconActivity}
            title={`No change among the last ${Math.min(RECENT_REQUESTS, data.items.length)} exchanges`}
            actions={
              <Button small onClick={() => setShows("everything")}>
                Show everything
              </Button>
            }
          >
            They read, or were refused.
          </NothingYet>
        ) : (
          <NothingYet icon={IconActivity} title="Nothing has happened yet">
            Every call that changes something shows here: from this window, a partner’s program or a script.
          </NothingYet>
        )}
      </div>
    </section>
  );
};
