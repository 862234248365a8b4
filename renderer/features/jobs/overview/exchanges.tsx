import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { useWorld } from "../../../app/world.ts";
import { Failing } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Operation } from "../../../components/operation.tsx";
import { Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { formatMs } from "../../../lib/formatting.ts";
import { traceHref } from "../detail/addresses.ts";
import { jobExchangesQuery } from "../queries.ts";

/** The last calls that were about a job; each opens with what was sent, answered and changed. */
export const Exchanges = ({ jobId }: { jobId: string }) => {
  const { data, error, refetch } = useQuery(jobExchangesQuery(useWorld(), jobId));
  const [, navigate] = useLocation();
  if (error) return <Failing what="The exchanges" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="the exchanges" />;
  if (data.items.length === 0)
    return <p className="jobs-pad t12 t3">None since this world began: the job was there from the start.</p>;
  return (
    <Table
      caption="Last exchanges about this job"
      rows={data.items}
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
            <span className={row.outcome === "read only" ? "t3" : ""} title={row.outcome}>
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
};
