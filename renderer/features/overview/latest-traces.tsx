import { Box, EmptyState, Flex, Group, Stack, Table, Text } from "@mantine/core";
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
import { Time } from "../../components/time.tsx";
import { traceDeliveriesQuery } from "../../domain/trace/queries.ts";
import { TraceDeliveries } from "../../domain/trace/trace-deliveries.tsx";
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
              <Table aria-label="Latest traces" miw={640}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th w={80}>Time</Table.Th>
                    <Table.Th w={232}>Operation</Table.Th>
                    <Table.Th w={104}>Touched</Table.Th>
                    <Table.Th>Result</Table.Th>
                    <Table.Th w={116}>Deliveries</Table.Th>
                    <Table.Th w={64}>Status</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.slice(0, MOST_SHOWN).map((row) => (
                    <Table.Tr
                      key={row.id}
                      className={row.id === selected ? "sel" : ""}
                      onClick={() => showInWire(row.id)}
                    >
                      <Table.Td>
                        <Text variant="aside">
                          <Time at={row.at} as="clock" on="real" />
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Call row={row} />
                      </Table.Td>
                      <Table.Td>
                        <Touched row={row} none={<Text c="dimmed">–</Text>} />
                      </Table.Td>
                      <Table.Td>
                        <Text
                          c="secondary"
                          lineClamp={3}
                          style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}
                          title={row.outcome}
                        >
                          {row.reason ? <Sentence text={row.reason} /> : outcomeOf(row)}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <TraceDeliveries row={row} of={deliveries?.get(row.trace_id)} />
                      </Table.Td>
                      <Table.Td>
                        <HttpStatus status={row.status} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
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
