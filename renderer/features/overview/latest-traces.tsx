import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { Touched } from "../../app/touched.tsx";
import { useUi } from "../../app/ui-store.ts";
import { useWireShows } from "../../app/wire-shows.ts";
import { useWorld } from "../../app/world.ts";
import { recentChangesQuery, recentRefusalsQuery, recentRequestsQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { OperationName } from "../../components/operation.tsx";
import { Read } from "../../components/read.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { traceDeliveriesQuery } from "../../domain/trace/queries.ts";
import { type TraceCounts, TraceDeliveries } from "../../domain/trace/trace-deliveries.tsx";
import { outcomeOf } from "../../domain/trace/verdict.ts";
import { formatMs } from "../../lib/formatting.ts";
import styles from "./overview.module.css";

const Call = ({ row }: { row: RequestRow }) => {
  const showInWire = useUi((state) => state.showInWire);
  return (
    <button type="button" className="row opn" onClick={() => showInWire(row.id)} title="View call">
      <SideGlyph side={row.side} labelled />
      <OperationName name={row.operation ?? row.path} />
    </button>
  );
};

const columnsFor = (deliveries: ReadonlyMap<string, TraceCounts> | undefined): readonly Column<RequestRow>[] => [
  {
    key: "at",
    head: "Time",
    width: "80px",
    cell: (row) => (
      <span className="t12 t3">
        <Time at={row.at} as="clock" on="real" />
      </span>
    ),
  },
  { key: "operation", head: "Operation", width: "244px", cell: (row) => <Call row={row} /> },
  {
    key: "touched",
    head: "Touched",
    width: "116px",
    cell: (row) => <Touched row={row} none={<span className="t3">–</span>} />,
  },
  {
    key: "outcome",
    head: "Result",
    cell: (row) => (
      <span className={`t2 ${styles.came}`} title={row.outcome}>
        {row.reason ? <Sentence text={row.reason} /> : outcomeOf(row)}
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
  {
    key: "deliveries",
    head: "Deliveries",
    width: "160px",
    cell: (row) => <TraceDeliveries row={row} of={deliveries?.get(row.trace_id)} />,
  },
  {
    key: "ms",
    head: "Duration",
    width: "76px",
    right: true,
    cell: (row) => <span className="t2">{formatMs(row.duration_ms)}</span>,
  },
  { key: "status", head: "Status", width: "64px", cell: (row) => <HttpStatus status={row.status} /> },
];

type Kinds = "changes" | "everything";
const kinds = [
  { value: "changes", label: "Changes and refusals" },
  { value: "everything", label: "Everything" },
] as const;

const MOST_SHOWN = 40;

const Nothing = ({ shows, onEverything }: { shows: Kinds; onEverything: () => void }) =>
  shows === "changes" ? (
    <NothingYet
      icon={IconActivity}
      title="No call has changed anything yet"
      actions={
        <Button small onClick={onEverything}>
          Show everything
        </Button>
      }
    >
      Calls that change something appear here. Send one from the Console or your own program.
    </NothingYet>
  ) : (
    <NothingYet icon={IconActivity} title="No calls yet">
      Calls appear here. Send one from the Console or your own program.
    </NothingYet>
  );

/** What changed last, or what reached the service last, as it happens; each opens on the wire. */
export const LatestTraces = () => {
  const world = useWorld();
  const [shows, setShows] = useState<Kinds>("changes");
  const changes = useQuery({ ...recentChangesQuery(world), enabled: shows === "changes" });
  const everything = useQuery({ ...recentRequestsQuery(world), enabled: shows === "everything" });
  const refusals = useQuery({ ...recentRefusalsQuery(world), enabled: shows === "changes" });
  const latest = shows === "changes" ? changes : everything;
  const { data: deliveries } = useQuery(traceDeliveriesQuery(world));
  const selected = useWireShows();
  const showInWire = useUi((state) => state.showInWire);
  // What was refused is as much news as what changed.
  const refused = shows === "changes" ? (refusals.data?.items ?? []) : [];
  return (
    <section className={`col ${styles.traces}`} aria-label="Latest traces">
      <div className="sec">
        <h2>Latest traces</h2>
        <span className="t12 t3">Live</span>
        <span className="r">
          <Segmented label="Traces to show" options={kinds} value={shows} onChange={setShows} />
        </span>
      </div>
      <div className="scroll grow">
        <Read of={latest} what="the latest traces" rows={5}>
          {({ items }) =>
            items.length + refused.length > 0 ? (
              <Table
                caption="Latest traces"
                columns={columnsFor(deliveries)}
                rows={[...items, ...refused].toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MOST_SHOWN)}
                rowKey={(row) => row.id}
                selected={selected}
                onOpen={(row) => showInWire(row.id)}
              />
            ) : (
              <Nothing shows={shows} onEverything={() => setShows("everything")} />
            )
          }
        </Read>
      </div>
    </section>
  );
};
