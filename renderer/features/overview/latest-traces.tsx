import { EmptyState, Flex, Group, Stack, Text } from "@mantine/core";
import { IconActivity } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../components/button.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { TextLink } from "../../components/link.tsx";
import { Read, Skeletons } from "../../components/read.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { type Column, ShortTable } from "../../components/short-table.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { useCallerName } from "../../domain/exchange/exchange.tsx";
import { operationTitle } from "../../domain/exchange/operation-words.ts";
import { Touched } from "../../domain/exchange/touched.tsx";
import { traceDeliveriesQuery } from "../../domain/trace/queries.ts";
import type { TraceCounts } from "../../domain/trace/trace-deliveries.tsx";
import { callOutcome } from "../../domain/trace/verdict.ts";
import { useSelectedExchange } from "../../kernel/addresses/selected-exchange.ts";
import { recentChangesQuery, recentRefusalsQuery, recentRequestsQuery } from "../../kernel/queries/world-queries.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatMs, plural, pluralTotal } from "../../lib/formatting.ts";
import { worldAccess } from "../../lib/world-access.ts";
import styles from "./overview.module.css";

/** The leading number of an outcome: "4 parts inserted". */
const leadingCount = (outcome: string): number => Number.parseInt(outcome, 10);

/** Phrases for successful calls, before the record's label; other operations use their titles. */
const done: Readonly<Record<string, (row: RequestRow) => string>> = {
  "integrations.insert": () => "Installed an integration",
  "webhooks.subscribe": () => "Subscribed a receiver",
  "repairer.jobs.insert": ({ outcome }) => (outcome.startsWith("inserted") ? "Inserted job" : "Updated job"),
  "repairer.jobs.delete": () => "Deleted job",
  "repairer.jobs.parts.insert": ({ outcome }) =>
    /^\d+ parts? inserted/.test(outcome) ? `Added ${plural(leadingCount(outcome), "part")} to` : "Updated parts of",
  "repairer.procurements.place": ({ outcome, procurement_id }) =>
    procurement_id === null ? `Placed ${plural(leadingCount(outcome), "order")} for` : "Placed order",
  "supplier.procurements.confirm": ({ outcome }) =>
    outcome.startsWith("already") ? "Confirmed again, nothing changed:" : "Confirmed order",
  "procurements.cancel": () => "Cancelled order",
  "uploads.prepare": () => "Prepared an upload",
  "uploads.put": () => "Uploaded a picture",
  "tier1.prepare": ({ outcome }) => `Vehicles: ${outcome}`,
};

/** A call's result as a phrase: "Placed 2 orders for", "Confirmed order". */
export const resultText = (row: RequestRow): string =>
  done[row.operation ?? ""]?.(row) ?? operationTitle(row.operation ?? row.path);

const MAX_SHOWN = 40;

/** Delivery state of a call's webhooks; `of` is undefined for older traces. */
const Webhooks = ({ row, of: counts }: { row: RequestRow; of: TraceCounts | undefined }) => {
  if (row.events === 0 || counts === undefined) return <Text c="dimmed">–</Text>;
  const { pending, delivered, failed, failed_attempts, to_nobody } = counts;
  const all = pending + delivered + failed;
  if (all === 0)
    return (
      <Text c="dimmed" title="No integration in this world was subscribed when it happened">
        not sent
      </Text>
    );
  const [state, words] =
    failed > 0
      ? (["failed", `${failed}${failed < all ? ` of ${all}` : ""} failed`] as const)
      : pending > 0
        ? (["pending", `${pending} ${failed_attempts > 0 ? "retrying" : "pending"}`] as const)
        : (["delivered", `${delivered} delivered`] as const);
  const unsent = to_nobody > 0 ? `, ${plural(to_nobody, "event")} not sent` : "";
  return (
    <State of={state} title={`${delivered} of ${all} delivered${unsent}`}>
      {words}
      <span className="sr">{unsent}</span>
    </State>
  );
};

/** A call's result or its refusal, with its record. */
const Result = ({ row }: { row: RequestRow }) => {
  const showInWire = useUi((state) => state.showInWire);
  const isDone = row.status > 0 && row.status < 400;
  const failing = row.status > 0 && row.status < 500 ? "Refused: " : "Failed: ";
  return (
    <Flex gap={4} miw={0} className={styles.result} data-done={isDone}>
      <button type="button" className="opn" onClick={() => showInWire(row.id)} title={callOutcome(row)}>
        <span className="cut">
          {isDone ? (
            resultText(row)
          ) : (
            <>
              {failing}
              <Sentence text={callOutcome(row)} />
            </>
          )}
        </span>
      </button>
      <Touched row={row} />
    </Flex>
  );
};

const Traces = ({ rows }: { rows: readonly RequestRow[] }) => {
  const world = useWorld();
  const { data: deliveries } = useQuery(traceDeliveriesQuery(world));
  const selected = useSelectedExchange();
  const showInWire = useUi((state) => state.showInWire);
  const who = useCallerName();
  const columns: readonly Column<RequestRow>[] = [
    {
      ...{ head: "Time", width: 104 },
      cell: ({ at }) => (
        <span data-variant="aside">
          <Time at={at} as="clock" on="real" />
        </span>
      ),
    },
    {
      head: "Who",
      cell: (row) => (
        <Flex align="center" gap={7}>
          <SideGlyph side={row.side} labelled />
          <span className="cut">{row.integration_id !== null || row.origin === "counterpart" ? who(row) : "–"}</span>
        </Flex>
      ),
    },
    { head: "Result", cell: (row) => <Result row={row} /> },
    {
      head: "Operation",
      width: 222,
      cell: ({ operation, path }) => <span className={styles.operation}>{operation ?? path}</span>,
    },
    { head: "Webhooks", width: 136, cell: (row) => <Webhooks row={row} of={deliveries?.get(row.trace_id)} /> },
    {
      head: "Took",
      width: 80,
      right: true,
      cell: ({ duration_ms }) => <span data-variant="aside">{formatMs(duration_ms)}</span>,
    },
    { head: "Response", width: 104, right: true, cell: ({ status }) => <HttpStatus status={status} /> },
  ];
  return (
    <ShortTable
      label="Latest traces"
      className={styles.traces}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      isSelected={({ id }) => id === selected}
      onOpen={({ id }) => showInWire(id)}
    />
  );
};

/** The latest changes and refusals, live; each opens the wire. @param children content beside the title */
export const LatestTraces = ({ children }: { children?: ReactNode }) => {
  const world = useWorld();
  const changes = useQuery(recentChangesQuery(world));
  const { data: refusals, isPending } = useQuery(recentRefusalsQuery(world));
  const { data: calls } = useQuery(recentRequestsQuery(world));
  return (
    <Stack component="section" gap={0} aria-label="Latest traces" className={styles.latest}>
      <div className="sec">
        <h2>Latest traces</h2>
        <Text variant="aside">Calls that changed something or were refused</Text>
        <Group component="span" ml="auto" gap="md" fz="sm" lh="sm" wrap="nowrap">
          {children}
          <TextLink href="/requests">
            {calls && calls.total > 0 ? `All ${pluralTotal(calls, "call")}` : "All calls"}
          </TextLink>
        </Group>
      </div>
      <div className={`scroll ${styles.rows}`}>
        <Read of={changes} what="the latest traces" rows={5}>
          {({ items }) => {
            // Refusals load between the changes, which would otherwise move.
            if (isPending) return <Skeletons what="the latest refusals" rows={5} />;
            const rows = [...items, ...(refusals?.items ?? [])].toSorted((a, b) => b.at.localeCompare(a.at));
            return rows.length > 0 ? (
              <Traces rows={rows.slice(0, MAX_SHOWN)} />
            ) : (
              <EmptyState
                icon={<IconActivity />}
                title={calls?.total === 0 ? "No calls yet" : "No call has changed anything yet"}
                description={`${worldAccess() === null ? "Play the story, or send" : "Send"} a call from the Console or your own program.`}
              >
                <LinkButton href="/console">Open the Console</LinkButton>
              </EmptyState>
            );
          }}
        </Read>
      </div>
    </Stack>
  );
};
