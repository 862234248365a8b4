import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useWorld } from "../../../app/world.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Operation } from "../../../components/operation.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { Table } from "../../../components/table.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { formatMs } from "../../../lib/formatting.ts";
import { traceHref } from "../detail/addresses.ts";
import { jobTracesQuery } from "../queries.ts";
import { type ExchangeKind, exchangeKinds, isRead, ofKind } from "../trace/exchange-kinds.ts";

/** So many are shown; the tab Trace has more. */
const SHOWN = 12;

/** The last calls that were about a job, as a part of its overview: those that changed it, or the reads too. */
export const Exchanges = ({ jobId }: { jobId: string }) => {
  const [kind, setKind] = useState<ExchangeKind>("changes");
  return (
    <Section
      title="Last exchanges about it"
      note="anyone’s calls, newest first"
      actions={<Segmented label="Which exchanges" options={exchangeKinds} value={kind} onChange={setKind} />}
    >
      <Rows jobId={jobId} kind={kind} />
    </Section>
  );
};

const Rows = ({ jobId, kind }: { jobId: string; kind: ExchangeKind }) => {
  const query = useQuery(jobTracesQuery(useWorld(), jobId));
  const [, navigate] = useLocation();
  return (
    <Read of={query} what="the exchanges">
      {(data) => {
        const rows = ofKind(data.items, kind).slice(0, SHOWN);
        if (rows.length === 0)
          return (
            <p className="jobs-pad t12 t3">
              {data.items.length === 0
                ? "None since this world began: the job was there from the start."
                : "Nothing has changed it since this world began; it was only read."}
            </p>
          );
        return (
          <Table
            caption="Last exchanges about this job"
            rows={rows}
            rowKey={(row) => row.id}
            onOpen={(row) => navigate(traceHref(jobId, row.id))}
            columns={[
              { key: "at", head: "Time", width: "84px", cell: (row) => <Time at={row.at} as="clock" on="real" /> },
              {
                key: "operation",
                head: "Operation",
                width: "270px",
                cell: (row) => (
                  <Link href={traceHref(jobId, row.id)} className="jobs-open">
                    <Operation id={row.operation ?? row.path} side={row.side} />
                  </Link>
                ),
              },
              {
                key: "outcome",
                head: "What changed",
                cell: (row) => (
                  <span className={isRead(row) ? "t3" : ""} title={row.outcome}>
                    {row.outcome}
                  </span>
                ),
              },
              {
                key: "events",
                head: "Events",
                width: "64px",
                right: true,
                cell: (row) => (row.events > 0 ? row.events : <span className="t3">0</span>),
              },
              { key: "ms", head: "Took", width: "74px", right: true, cell: (row) => formatMs(row.duration_ms) },
              { key: "status", head: "Status", width: "86px", cell: (row) => <HttpStatus status={row.status} /> },
            ]}
          />
        );
      }}
    </Read>
  );
};
