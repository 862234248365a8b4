import { Group, Text } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { useWorld } from "../../../app/world.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Operation } from "../../../components/operation.tsx";
import { Read } from "../../../components/read.tsx";
import { Toolbar } from "../../../components/section.tsx";
import { iconOf, toneOf } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useWho } from "../../../domain/exchange/exchange.tsx";
import { requestsHref } from "../../../domain/exchange/filter.ts";
import { TraceChain } from "../../../domain/trace/trace-chain.tsx";
import { formatSpan, pluralTotal } from "../../../lib/formatting.ts";
import { type HistoryEntry, historyOf, lastMove } from "../moves.ts";
import shared from "../procurements.module.css";
import { movesQuery } from "../queries.ts";
import styles from "./detail.module.css";

/** The mark on the line of time: the state it came into, or a small one for a call that moved nothing. */
const Mark = ({ to }: { to: ProcurementStatus | null }) => (
  <span className={`${styles.mark} ${to === null ? styles.none : toneOf(to)}`} aria-hidden="true">
    {to !== null && <Icon of={iconOf(to)} size={14} />}
  </span>
);

const Into = ({ to, after }: { to: ProcurementStatus; after: number | null }) => (
  <Group component="span" gap="xs" wrap="wrap" className={toneOf(to)}>
    <b className="st">{to}</b>
    {after !== null && <Text c="dimmed">after {formatSpan(after)}</Text>}
  </Group>
);

interface EntryProps {
  readonly entry: HistoryEntry;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** A call in a line, with what it made of the procurement; opened, its chain. Or a state no recorded call led to. */
const Entry = ({ entry: { request, to, at, after }, open, onToggle }: EntryProps) => {
  const who = useWho();
  const into = to !== null && <Into to={to} after={after} />;
  if (request === null)
    return (
      <li className={styles.callRow}>
        <Mark to={to} />
        <Text size="sm">{into}</Text>
        <Text
          variant="aside"
          truncate
          title="This state is part of the seed data, or its call was deleted by retention"
        >
          no recorded call
        </Text>
        <span />
        <Text variant="aside" ta="right">
          <Time at={at} />
        </Text>
      </li>
    );
  return (
    <li>
      <button
        type="button"
        className={`hov ${styles.callRow}${open ? ` ${styles.open}` : ""}`}
        aria-expanded={open}
        onClick={onToggle}
      >
        <Mark to={to} />
        <Text size="sm">{into || <Text c="secondary">{request.error_code ?? request.outcome}</Text>}</Text>
        <Operation id={request.operation ?? request.path} side={request.side} />
        <HttpStatus status={request.status} />
        <Text variant="aside" ta="right">
          <Time at={at} as="clock" on="real" />
        </Text>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
      </button>
      {open && <TraceChain request={request} by={who(request)} />}
    </li>
  );
};

/** Every state it was in and every kept call that moved it or tried to; each call opens into its chain. */
export const HistoryTab = ({ row }: { row: ProcurementRow }) => {
  const moves = useQuery(movesQuery(useWorld(), row.id));
  const [chosen, setChosen] = useState<string | null>();
  return (
    <Read of={moves} what="its history">
      {(data) => {
        const entries = historyOf(row, data.items);
        // Until someone chooses, the newest call that moved it is open.
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
            <div className={`scroll ${shared.scroll}`}>
              <ol className={styles.history} aria-label="History, newest first">
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
            </div>
          </>
        );
      }}
    </Read>
  );
};
