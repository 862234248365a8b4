import { Box, Group, Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Side as SideName } from "../../../sandbox/contract/control/rows.ts";
import type { worldSummary } from "../../../sandbox/contract/control/world-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { useCredentials } from "../../app/acting.ts";
import { hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { organizationsQuery, worldSummaryQuery } from "../../app/world-queries.ts";
import { KeyValue } from "../../components/key-value.tsx";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { SideGlyph, sideClass } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { NextAttempt } from "../../domain/delivery/next-attempt.tsx";
import { formatCount, formatTotal, pluralTotal, type Total } from "../../lib/formatting.ts";
import styles from "./map.module.css";

interface NodeProps {
  readonly at: string;
  /** Whose it is, one above the other. */
  readonly of?: readonly SideName[];
  readonly tone?: "wait" | "ok" | "off";
  readonly label: ReactNode;
  /** Undefined while it is not known. */
  readonly count: number | Total | undefined;
  /** What is small below the count. */
  readonly note: ReactNode;
  /** Suppliers have none: what one of them has is among the orders. */
  readonly place?: string;
}

const countWords = (count: number | Total) => (typeof count === "number" ? formatCount(count) : formatTotal(count));
const hueOf = (side: SideName | undefined) => side && `var(--${sideClass(side)})`;

/** A station of the lifecycle with its live count, which leads to its place if it has one. */
const MapNode = ({ at, of = [], tone, label, count, note, place }: NodeProps) => {
  const box = {
    withBorder: true,
    radius: 6,
    className: `${styles.node} ${tone ?? ""}`,
    style: { gridArea: at, "--first": hueOf(of[0]), "--second": hueOf(of[1]) },
    children: (
      <Stack component="span" gap={0} h="100%" justify="center">
        <Group component="span" gap={6} fz="sm" lh="sm" fw={500} c="secondary">
          {of.length === 1 && of[0] && <SideGlyph side={of[0]} labelled />}
          {label}
        </Group>
        <Text fz={20} lh="24px" fw={600} data-count="">
          {count === undefined ? <Text c="dimmed">–</Text> : countWords(count)}
        </Text>
        <Text fz="xs" lh="xs" c={tone ? "secondary" : "dimmed"}>
          {note}
        </Text>
      </Stack>
    ),
  };
  return place === undefined ? <Paper {...box} /> : <Paper component={Link} href={`/${place}`} {...box} />;
};

interface EdgeProps {
  readonly at: string;
  readonly operation: string;
  readonly by: readonly SideName[];
  readonly children: ReactNode;
  readonly title?: string;
}

/** A step between two stations: its operation, who may take it, where that comes from. */
const MapEdge = ({ at, operation, by, children, title }: EdgeProps) => {
  const [side] = by;
  return (
    <Stack
      gap={4}
      justify="center"
      align="center"
      miw={0}
      className={`${styles.edge} ${side !== undefined && by.length === 1 ? sideClass(side) : ""}`}
      style={{ gridArea: at }}
      title={title}
    >
      <Text variant="mono" c="secondary" textWrap="nowrap">
        {operation}
      </Text>
      <span className={styles.line} aria-hidden="true" />
      <Group gap={4} wrap="wrap" justify="center">
        {by.map((one) => (
          <SideGlyph key={one} side={one} labelled />
        ))}
        {children}
      </Group>
    </Stack>
  );
};

type Summary = ResponseOf<typeof worldSummary>;

/** When the last one came there; nothing until that is known. */
const lastOf = (of: { readonly last_at: string | null } | undefined, said: ReactNode): ReactNode => {
  if (!of) return null;
  if (of.last_at === null) return "none yet";
  return (
    <>
      {said} <Time at={of.last_at} />
    </>
  );
};

const Deliveries = ({ of: { delivered, pending, failed, next_attempt_at } }: { of: Summary["deliveries"] }) => (
  <Group component="span" gap="lg" wrap="wrap">
    {delivered > 0 && <State of="delivered">{formatCount(delivered)} delivered</State>}
    {pending > 0 && (
      <State of="pending">
        <span>
          <TextLink href={hrefs.deliveries("pending")}>{formatCount(pending)} pending</TextLink>
          {next_attempt_at && (
            <>
              , <NextAttempt at={next_attempt_at} />
            </>
          )}
        </span>
      </State>
    )}
    {failed > 0 && <State of="failed">{formatCount(failed)} given up</State>}
    <Text c="dimmed">
      {delivered + pending + failed === 0 && "No deliveries yet. "}Only integrations subscribed at the time receive an
      event
    </Text>
    <Box component="span" flex={1} />
    <TextLink href="/webhooks">Open webhooks</TextLink>
  </Group>
);

const EventType = ({ side, name }: { side: SideName; name: string }) => (
  <Group variant="mono" component="span" gap={6}>
    <SideGlyph side={side} />
    {name}
  </Group>
);

const events = (
  <Group component="span" wrap="wrap" c="dimmed">
    <EventType side="repairer" name="repairer.jobs" /> each insert, update or delete
    <EventType side="repairer" name="repairer.procurements" />
    <EventType side="supplier" name="supplier.procurements" /> one for each side when an order is placed or confirmed
  </Group>
);

/** The lifecycle: its stations with live counts, who moves each step, and the events that come of it. */
export const LifecycleMap = () => {
  const world = useWorld();
  const credentials = useCredentials().data;
  const organizations = useQuery(organizationsQuery(world)).data;
  const { data: summary } = useQuery(worldSummaryQuery(world));
  const { order_requested, order_confirmed, cancelled } = summary?.procurements.by_status ?? {};
  const suppliers = organizations?.filter((organization) => organization.scope === "supplier");
  const own = new Set(credentials?.map((credential) => credential.organization_id));
  const reach = suppliers?.filter((supplier) => own.has(supplier.id)).length;
  return (
    <Box
      component="section"
      className={`hb ${styles.map}`}
      style={{ overflow: "auto hidden" }}
      aria-label="Lifecycle map"
    >
      <Box className={styles.grid}>
        <MapNode
          at="1 / 1"
          of={["repairer"]}
          label="Jobs"
          count={summary?.jobs}
          note={lastOf(summary && { last_at: summary.jobs.last_changed_at }, "changed")}
          place="jobs"
        />
        <MapEdge at="1 / 2" operation="jobs.parts.insert" by={["repairer"]}>
          <Origin of="contract" />
        </MapEdge>
        <MapNode
          at="1 / 3 / 3 / 4"
          of={["repairer"]}
          label="Baskets"
          count={summary?.baskets}
          note={summary ? `for ${pluralTotal(summary.parts, "part")}` : "one per job"}
          place="jobs"
        />
        <MapEdge at="2 / 2" operation="offers" by={["supplier"]}>
          <Origin of="assumption" id="D43" />
        </MapEdge>
        <MapNode
          at="2 / 1"
          of={["supplier"]}
          label="Suppliers"
          count={suppliers?.length}
          note={reach !== undefined && `${formatCount(reach)} with a key`}
        />
        <MapEdge at="1 / 4 / 3 / 5" operation="procurements.place" by={["repairer"]}>
          <Origin of="extension" />
        </MapEdge>
        <MapNode
          at="1 / 5 / 3 / 6"
          of={["repairer", "supplier"]}
          tone="wait"
          label={<State of="order_requested" />}
          count={order_requested}
          note={lastOf(order_requested, "newest")}
          place="procurements"
        />
        <MapEdge
          at="1 / 6"
          operation="procurements.cancel"
          by={["repairer", "supplier"]}
          title="Either side can cancel, from order_requested only"
        >
          <Origin of="extension" /> <Origin of="assumption" id="D74" />
        </MapEdge>
        <MapNode
          at="1 / 7"
          tone="off"
          label={<State of="cancelled" />}
          count={cancelled}
          note="no event"
          place="procurements"
        />
        <MapEdge at="2 / 6" operation="procurements.confirm" by={["supplier"]}>
          <Origin of="contract" />
        </MapEdge>
        <MapNode
          at="2 / 7"
          tone="ok"
          label={<State of="order_confirmed" />}
          count={order_confirmed}
          note={lastOf(
            order_confirmed,
            <>
              last<span className="sr"> confirmed</span>
            </>,
          )}
          place="procurements"
        />
      </Box>
      <Box className="hl" px="xl" py="sm" bg="var(--canvas)">
        <KeyValue
          rows={[
            ["Events", events],
            ["Deliveries", summary && <Deliveries key="deliveries" of={summary.deliveries} />],
          ]}
        />
      </Box>
    </Box>
  );
};
