import { Box, EmptyState, Flex, Group, Stack, Text } from "@mantine/core";
import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { Touched } from "../../app/touched.tsx";
import { useUi } from "../../app/ui-store.ts";
import { useWireShows } from "../../app/wire-shows.ts";
import { useWorld } from "../../app/world.ts";
import { recentChangesQuery, recentRefusalsQuery } from "../../app/world-queries.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { TextLink } from "../../components/link.tsx";
import { OperationName } from "../../components/operation.tsx";
import { Read } from "../../components/read.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { traceDeliveriesQuery } from "../../domain/trace/queries.ts";
import { type TraceCounts, TraceDeliveries } from "../../domain/trace/trace-deliveries.tsx";
import { outcomeOf } from "../../domain/trace/verdict.ts";

const Call = ({ row }: { row: RequestRow }) => {
  const showInWire = useUi((state) => state.showInWire);
  return (
    <Flex
      type="button"
      component="button"
      align="center"
      gap="sm"
      className="opn"
      onClick={() => showInWire(row.id)}
      title="View call"
    >
      <SideGlyph side={row.side} labelled />
      <OperationName name={row.operation ?? row.path} />
    </Flex>
  );
};

const columnsFor = (deliveries: ReadonlyMap<string, TraceCounts> | undefined): readonly Column<RequestRow>[] => [
  {
    key: "at",
    head: "Time",
    width: "80px",
    cell: (row) => (
      <Text variant="aside">
        <Time at={row.at} as="clock" on="real" />
      </Text>
    ),
  },
  { key: "operation", head: "Operation", width: "232px", cell: (row) => <Call row={row} /> },
  {
    key: "touched",
    head: "Touched",
    width: "104px",
    cell: (row) => <Touched row={row} none={<Text c="dimmed">–</Text>} />,
  },
  {
    key: "outcome",
    head: "Result",
    cell: (row) => (
      <Text c="secondary" lineClamp={3} style={{ whiteSpace: "normal", overflowWrap: "anywhere" }} title={row.outcome}>
        {row.reason ? <Sentence text={row.reason} /> : outcomeOf(row)}
      </Text>
    ),
  },
  {
    key: "deliveries",
    head: "Deliveries",
    width: "116px",
    cell: (row) => <TraceDeliveries row={row} of={deliveries?.get(row.trace_id)} />,
  },
  { key: "status", head: "Status", width: "64px", cell: (row) => <HttpStatus status={row.status} /> },
];

const MOST_SHOWN = 40;

/** What changed or was refused last, as it happens; each opens on the wire. */
export const LatestTraces = () => {
  const world = useWorld();
  const changes = useQuery(recentChangesQuery(world));
  const { data: refusals } = useQuery(recentRefusalsQuery(world));
  const { data: deliveries } = useQuery(traceDeliveriesQuery(world));
  const selected = useWireShows();
  const showInWire = useUi((state) => state.showInWire);
  return (
    <Stack component="section" gap={0} aria-label="Latest traces">
      <div className="sec">
        <h2>Latest traces</h2>
        <Text variant="aside">Changes and refusals, live</Text>
        <Group component="span" ml="auto" fz="sm" lh="sm">
          <TextLink href="/requests">All calls</TextLink>
        </Group>
      </div>
      <Box flex={1} miw={0} className="scroll">
        <Read of={changes} what="the latest traces" rows={5}>
          {({ items }) => {
            const rows = [...items, ...(refusals?.items ?? [])].toSorted((a, b) => b.at.localeCompare(a.at));
            return rows.length > 0 ? (
              <Box miw={640}>
                <Table
                  caption="Latest traces"
                  columns={columnsFor(deliveries)}
                  rows={rows.slice(0, MOST_SHOWN)}
                  rowKey={(row) => row.id}
                  selected={selected}
                  onOpen={(row) => showInWire(row.id)}
                />
              </Box>
            ) : (
              <EmptyState
                icon={<IconActivity />}
                title="No call has changed anything yet"
                description="Calls that change something appear here. Send one from the Console or your own program."
              />
            );
          }}
        </Read>
      </Box>
    </Stack>
  );
};
