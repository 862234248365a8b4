import { Box, Group, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Toolbar } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useCallerName } from "../../../domain/exchange/exchange.tsx";
import { requestsHref } from "../../../domain/exchange/filter.ts";
import { Operation } from "../../../domain/exchange/operation.tsx";
import { TraceChain } from "../../../domain/trace/trace-chain.tsx";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatSpan, pluralTotal } from "../../../lib/formatting.ts";
import { type HistoryEntry, lastMove, orderHistory } from "../moves.ts";
import { movesQuery } from "../queries.ts";

/** The new state, or the reason why nothing changed. */
const Outcome = ({ entry: { request, to, after } }: { entry: HistoryEntry }) => (
  <Group component="span" gap="xs" wrap="wrap" flex="1 1 180px">
    {to === null ? <Text c="secondary">{request?.error_code ?? request?.outcome}</Text> : <State of={to} />}
    {after !== null && <Text c="dimmed">after {formatSpan(after)}</Text>}
  </Group>
);

interface EntryProps {
  readonly entry: HistoryEntry;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** A call on one line with its effect, expandable to its chain; or a state without a recorded call. */
const Entry = ({ entry, open, onToggle }: EntryProps) => {
  const who = useCallerName();
  const { request, at } = entry;
  if (request === null)
    return (
      <Group component="li" className="hb" wrap="wrap" fz="sm" mih={36} px="lg">
        <Outcome entry={entry} />
        <Text variant="aside" title="This state is part of the seed data, or its call was deleted by retention">
          no recorded call
        </Text>
        <Text variant="aside">
          <Time at={at} />
        </Text>
      </Group>
    );
  return (
    <li className="hb">
      <UnstyledButton className="hov" w="100%" fz="sm" aria-expanded={open} onClick={onToggle}>
        <Group component="span" wrap="wrap" mih={36} px="lg">
          <Outcome entry={entry} />
          <Operation id={request.operation ?? request.path} side={request.side} />
          <HttpStatus status={request.status} />
          <Text variant="aside">
            <Time at={at} as="clock" on="real" />
          </Text>
          <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
        </Group>
      </UnstyledButton>
      {open && <TraceChain request={request} by={who(request)} />}
    </li>
  );
};

/** All states of an order, and all recorded calls that changed it or tried to. */
export const HistoryTab = ({ row }: { row: ProcurementRow }) => {
  const moves = useQuery(movesQuery(useWorld(), row.id));
  const [chosen, setChosen] = useState<string | null>();
  return (
    <Read of={moves} what="its history">
      {(data) => {
        const entries = orderHistory(row, data.items);
        // By default, the newest transition is open.
        const open = chosen === undefined ? (lastMove(data.items)?.id ?? null) : chosen;
        return (
          <>
            <Toolbar label="History">
              <Text flex={1} miw={0} variant="note">
                {pluralTotal(data, "call")} that placed, confirmed or cancelled it
              </Text>
              <Text size="sm">
                <TextLink href={requestsHref({ search: row.reference ?? row.id })}>All calls, including reads</TextLink>
              </Text>
            </Toolbar>
            <Box className="scroll" pos="relative" flex={1}>
              <ol aria-label="History, newest first">
                {entries.map((entry) => {
                  const id = entry.request?.id ?? null;
                  return (
                    <Entry
                      key={id ?? entry.to}
                      entry={entry}
                      open={id !== null && id === open}
                      onToggle={() => setChosen(id === open ? null : id)}
                    />
                  );
                })}
              </ol>
            </Box>
          </>
        );
      }}
    </Read>
  );
};
