import { Box, EmptyState, Flex, Group, Stack, Text } from "@mantine/core";
import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { useUi } from "../../app/ui-store.ts";
import { useWireShows } from "../../app/wire-shows.ts";
import { useWorld } from "../../app/world.ts";
import { recentChangesQuery, recentRefusalsQuery } from "../../app/world-queries.ts";
import { TextLink } from "../../components/link.tsx";
import { Read, Skeletons } from "../../components/read.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { CallTable } from "../../domain/exchange/call-table.tsx";
import { OperationName } from "../../domain/exchange/operation.tsx";
import { traceDeliveriesQuery } from "../../domain/trace/queries.ts";
import { TraceDeliveries } from "../../domain/trace/trace-deliveries.tsx";

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

const MOST_SHOWN = 40;

/** What changed or was refused last, as it happens; each opens on the wire. */
export const LatestTraces = () => {
  const world = useWorld();
  const changes = useQuery(recentChangesQuery(world));
  const { data: refusals, isPending } = useQuery(recentRefusalsQuery(world));
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
            // They lie between the changes, which would move when they come.
            if (isPending) return <Skeletons what="the latest refusals" rows={5} />;
            const rows = [...items, ...(refusals?.items ?? [])].toSorted((a, b) => b.at.localeCompare(a.at));
            return rows.length > 0 ? (
              <CallTable
                label="Latest traces"
                rows={rows.slice(0, MOST_SHOWN)}
                name={(row) => <Call row={row} />}
                more={{
                  ...{ words: "Deliveries", width: 112 },
                  cell: (row) => <TraceDeliveries row={row} of={deliveries?.get(row.trace_id)} />,
                }}
                selected={selected}
                onOpen={(row) => showInWire(row.id)}
              />
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
