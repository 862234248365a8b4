import { Box, EmptyState, Group, SegmentedControl, Text } from "@mantine/core";
import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { isChanging, isRefused } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { Read } from "../../../components/read.tsx";
import { Toolbar } from "../../../components/section.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { Time } from "../../../components/time.tsx";
import { Operation } from "../../../domain/exchange/operation.tsx";
import { traceDeliveriesQuery } from "../../../domain/trace/queries.ts";
import { TraceChain } from "../../../domain/trace/trace-chain.tsx";
import { type TraceCounts, TraceDeliveries } from "../../../domain/trace/trace-deliveries.tsx";
import { callOutcome } from "../../../domain/trace/verdict.ts";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { pluralTotal } from "../../../lib/formatting.ts";
import { traceHref, useJobPageParams } from "../address.ts";
import jobs from "../jobs.module.css";
import { jobTracesQuery } from "../queries.ts";

/** Returns whether a call was a successful read. */
const isRead = (row: RequestRow): boolean => !isChanging(row) && !isRefused(row);

const kinds = [
  { value: "changes", label: "Without reads" },
  { value: "everything", label: "With reads" },
] as const;
type Kind = (typeof kinds)[number]["value"];

interface RowProps {
  readonly row: RequestRow;
  readonly jobId: string;
  readonly isSelected: boolean;
  readonly counts: TraceCounts | undefined;
}

const Row = ({ row, jobId, isSelected, counts }: RowProps) => (
  <li>
    <Link
      href={traceHref(jobId, row.id)}
      className={`li${isSelected ? " sel" : ""}`}
      aria-current={isSelected ? "true" : undefined}
    >
      <ListRow
        title={<Operation id={row.operation ?? row.path} side={row.side} />}
        aside={
          <Text c="bright">
            <HttpStatus status={row.status} />
          </Text>
        }
        detail={
          <Text {...(isRead(row) && { c: "dimmed" })}>
            {row.reason ? <Sentence text={row.reason} /> : callOutcome(row)}
          </Text>
        }
        state={
          <>
            {counts && <TraceDeliveries row={row} of={counts} />}
            <span data-variant="dim">
              <Time at={row.at} as="clock" on="real" />
            </span>
          </>
        }
      />
    </Link>
  </li>
);

const Shown = ({ row }: { row: RequestRow }) => {
  const caller = useCredentials().data?.find(({ integration_id }) => integration_id === row.integration_id);
  return (
    <section className="scroll" aria-label={`Trace of ${row.operation ?? row.path}`}>
      <Group className="toolbar" component="h3" gap="sm" wrap="nowrap" mb="md">
        <Operation id={row.operation ?? row.path} side={row.side} />
      </Group>
      <TraceChain request={row} by={caller?.organization_name ?? null} />
    </section>
  );
};

/** All calls about a job, newest first, and one with its consequences. */
export const TraceTab = ({ jobId }: { jobId: string }) => {
  const world = useWorld();
  const query = useQuery(jobTracesQuery(world, jobId));
  const { data: deliveries } = useQuery(traceDeliveriesQuery(world));
  const { request: requestId } = useJobPageParams();
  const [kind, setKind] = useState<Kind | null>(null);
  return (
    <Read of={query} what="the traces" rows={6}>
      {(data) => {
        const { items, next_cursor } = data;
        const named = items.find(({ id }) => id === requestId);
        // A read from the address must be in the list, whatever the filter.
        const shows = kind ?? (named && isRead(named) ? "everything" : "changes");
        const rows = shows === "everything" ? items : items.filter((row) => !isRead(row));
        const selected = named ?? rows[0];
        return (
          <div className={jobs.trace}>
            <div className="list">
              <Toolbar label="Traces">
                <SegmentedControl aria-label="Which calls" data={[...kinds]} value={shows} onChange={setKind} />
                <Text variant="aside" truncate>
                  {pluralTotal(data, "call")} in all
                </Text>
              </Toolbar>
              <Box component="ul" flex={1} miw={0} className="scroll" aria-label="Calls about this job">
                {rows.map((row) => (
                  <Row
                    key={row.id}
                    row={row}
                    jobId={jobId}
                    isSelected={row === selected}
                    counts={deliveries?.get(row.trace_id)}
                  />
                ))}
                {next_cursor !== null && (
                  <Text component="li" variant="aside" px="lg" pb="lg">
                    The newest {items.length} calls are listed. See Requests for all of them.
                  </Text>
                )}
              </Box>
            </div>
            {selected ? (
              <Shown row={selected} />
            ) : (
              <EmptyState
                icon={<IconActivity />}
                title="No recorded changes"
                description={
                  items.length === 0
                    ? "This job is part of the seed data, or its calls were deleted by retention. Edit the job, add parts or place an order to see the request, its changes, events and deliveries here."
                    : "This job was only read. Edit it, add parts or place an order to see the request, its changes, events and deliveries here."
                }
              />
            )}
          </div>
        );
      }}
    </Read>
  );
};
