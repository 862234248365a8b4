import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { useUi } from "../../app/ui-store.ts";
import { useWorld } from "../../app/world.ts";
import { RECENT_REQUESTS, recentRequestsQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Loading } from "../../components/loading.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { formatMs } from "../../lib/formatting.ts";
import { isRead } from "./calls.ts";

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

const columns: readonly Column<RequestRow>[] = [
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
  { key: "operation", head: "Operation", width: "250px", cell: (row) => <Call row={row} /> },
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
    width: "64px",
    right: true,
    cell: (row) => <span className={row.events === 0 ? "t3" : ""}>{row.events}</span>,
  },
  {
    key: "ms",
    head: "Took",
    width: "84px",
    right: true,
    cell: (row) => <span className="t2">{formatMs(row.duration_ms)}</span>,
  },
  { key: "status", head: "Status", width: "84px", cell: (row) => <HttpStatus status={row.status} /> },
];

type Kinds = "changes" | "everything";
const kinds = [
  { value: "changes", label: "Changes" },
  { value: "everything", label: "Everything" },
] as const;

/** What reached the service last, as it happens; each opens on the wire. */
export const LatestTraces = () => {
  const { data, error, refetch } = useQuery(recentRequestsQuery(useWorld()));
  const [shows, setShows] = useState<Kinds>("changes");
  const selected = useUi((state) => (state.wireOpen ? state.wireShows : null));
  const rows = (data?.items ?? []).filter((row) => shows === "everything" || changed(row)).slice(0, 40);
  return (
    <section className="overview-traces" aria-label="Latest traces">
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
