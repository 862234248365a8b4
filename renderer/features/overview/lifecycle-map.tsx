import { Box, Group, Text } from "@mantine/core";
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
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { Side, SideGlyph, sideClass } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { NextAttempt } from "../../domain/delivery/next-attempt.tsx";
import { formatCount, formatTotal, pluralTotal, type Total } from "../../lib/formatting.ts";
import styles from "./map.module.css";

interface NodeProps {
  readonly at: string;
  readonly className: string;
  readonly label: ReactNode;
  /** Undefined while it is not known. */
  readonly count: number | Total | undefined;
  /** What is small below the count. */
  readonly note: ReactNode;
  readonly children?: ReactNode;
  /** Suppliers have none: what one of them has is among the orders. */
  readonly place?: string;
}

const countWords = (count: number | Total) => (typeof count === "number" ? formatCount(count) : formatTotal(count));

/** A station of the lifecycle with its live count, which leads to its place if it has one. */
const MapNode = ({ at, className, label, count, note, children, place }: NodeProps) => {
  const box = {
    className: `${styles.node} ${className}`,
    style: { gridArea: at },
    children: (
      <>
        <Group component="span" gap="xs" className={styles.label}>
          {label}
        </Group>
        <span className={styles.count} data-count="">
          {count === undefined ? <Text c="dimmed">–</Text> : countWords(count)}
        </span>
        <span className={styles.small}>{note}</span>
        {children}
      </>
    ),
  };
  return place === undefined ? <div {...box} /> : <Link href={`/${place}`} {...box} />;
};

interface EdgeProps {
  readonly at: string;
  readonly className?: string | undefined;
  readonly operation: string;
  readonly by: readonly SideName[];
  readonly origin: "contract" | "extension";
  readonly title?: string;
}

/** A step between two stations: its operation, who may take it, where that comes from. */
const MapEdge = ({ at, className = "", operation, by, origin, title }: EdgeProps) => {
  const [side] = by;
  const hue = side !== undefined && by.length === 1 ? sideClass(side) : "";
  return (
    <div className={`${styles.edge} ${hue} ${className}`} style={{ gridArea: at }} title={title}>
      <span className={styles.above}>{operation}</span>
      <span className={styles.line} aria-hidden="true" />
      <span className={styles.below}>
        {by.map((one) => (
          <SideGlyph key={one} side={one} labelled />
        ))}
        <Origin of={origin} />
      </span>
    </div>
  );
};

/** Where an event comes from, dropped down to the line of events. */
const EventDrop = ({ at, className = "", children }: Pick<EdgeProps, "at" | "className"> & { children: ReactNode }) => (
  <div className={`${styles.drop} ${className}`} style={{ gridArea: at }}>
    <span>{children}</span>
  </div>
);

type Summary = ResponseOf<typeof worldSummary>;

/** When the last one came into a status; nothing until that is known. */
const lastOf = (of: Summary["procurements"]["by_status"]["cancelled"] | undefined, said: ReactNode): ReactNode => {
  if (!of) return null;
  if (of.last_at === null) return "none yet";
  return (
    <>
      {said} <Time at={of.last_at} />
    </>
  );
};

const Deliveries = ({ of: { delivered, pending, failed, next_attempt_at } }: { of: Summary["deliveries"] }) => (
  <>
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
    <Text variant="aside" truncate>
      {delivered + pending + failed === 0 && "No deliveries yet. "}Only integrations subscribed at the time receive an
      event
    </Text>
  </>
);

const EventType = ({ side, name }: { side: SideName; name: string }) => (
  <Group variant="mono" component="span" display="inline-flex" gap={6} wrap="nowrap" pr={6} bg="var(--canvas)">
    <SideGlyph side={side} />
    {name}
  </Group>
);

const EventLine = ({ summary }: { summary: Summary | undefined }) => (
  <>
    <div className={`${styles.laneName} ${styles.types}`} style={{ gridArea: "3 / 1" }}>
      <span>Events</span>
      <span>Deliveries</span>
    </div>
    <div className={styles.bus} style={{ gridArea: "3 / 5 / 4 / 8" }} />
    <div className={styles.types} style={{ gridArea: "3 / 2 / 4 / 5" }}>
      <EventType side="repairer" name="repairer.jobs" />
    </div>
    <div className={`${styles.types} ${styles.end}`} style={{ gridArea: "3 / 5 / 4 / 9" }}>
      <Group component="span" gap={20} wrap="nowrap">
        <EventType side="repairer" name="repairer.procurements" />
        <EventType side="supplier" name="supplier.procurements" />
      </Group>
    </div>
    <Group className={styles.deliveries} style={{ gridArea: "3 / 2 / 4 / 9" }}>
      {summary && <Deliveries of={summary.deliveries} />}
      <Box component="span" flex={1} />
      <Text size="sm" textWrap="nowrap">
        <TextLink href="/webhooks">Open webhooks</TextLink>
      </Text>
    </Group>
  </>
);

/** The lifecycle: its stations with live counts, who moves each step, and where events arise. */
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
    <section className={styles.map} aria-label="Lifecycle map">
      <div className={styles.grid}>
        <div className={`${styles.lane} ${styles.first}`} />
        <div className={`${styles.lane} ${styles.second}`} />
        <div className={`${styles.lane} ${styles.events}`} />
        <div className={styles.laneName} style={{ gridArea: "1 / 1" }}>
          <Side side="repairer" />
        </div>
        <div className={styles.laneName} style={{ gridArea: "2 / 1" }}>
          <Side side="supplier" />
        </div>
        <MapNode
          at="1 / 2"
          className={`${styles.oneSide} buyer`}
          label="Jobs"
          count={summary?.jobs}
          note={
            summary?.jobs.last_changed_at ? (
              <>
                changed <Time at={summary.jobs.last_changed_at} />
              </>
            ) : (
              "none yet"
            )
          }
          place="jobs"
        />
        <MapEdge at="1 / 3" operation="jobs.parts.insert" by={["repairer"]} origin="contract" />
        <MapNode
          at="1 / 4"
          className={`${styles.oneSide} buyer`}
          label="Baskets"
          count={summary?.baskets}
          note={
            <span title="A job gets a basket when it has parts">
              {summary ? `for ${pluralTotal(summary.parts, "part")}` : "one per job"}
            </span>
          }
          place="jobs"
        />
        <div className={styles.offers} style={{ gridArea: "1 / 4 / 3 / 5" }}>
          <Text variant="mono" c="secondary">
            offers
            <Origin of="assumption" id="D43" />
          </Text>
        </div>
        <MapNode
          at="2 / 4"
          className={`${styles.oneSide} supplier`}
          label="Suppliers"
          count={suppliers?.length}
          note={reach !== undefined && `${formatCount(reach)} with a key`}
        />
        <MapEdge at="1 / 5" operation="procurements.place" by={["repairer"]} origin="extension" />
        <MapNode
          at="1 / 6 / 3 / 7"
          className={`${styles.bothSides} ${styles.state} wait`}
          label={<State of="order_requested" />}
          count={order_requested}
          note={lastOf(order_requested, "newest")}
          place="procurements"
        />
        <MapEdge
          at="1 / 7"
          operation="procurements.cancel"
          by={["repairer", "supplier"]}
          origin="extension"
          title="Either side can cancel, from order_requested only"
        />
        <MapNode
          at="1 / 8"
          className={`${styles.state} off`}
          label={<State of="cancelled" />}
          count={cancelled}
          note="no event"
          place="procurements"
        >
          <span>
            <Origin of="assumption" id="D74" />
          </span>
        </MapNode>
        <MapEdge at="2 / 7" operation="procurements.confirm" by={["supplier"]} origin="contract" />
        <MapNode
          at="2 / 8"
          className={`${styles.state} ok`}
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
        <EventDrop at="1 / 2 / 3 / 3">each insert, update or delete</EventDrop>
        <EventDrop at="1 / 5 / 3 / 6" className={styles.pairOf}>
          one for each side
        </EventDrop>
        <EventDrop at="2 / 7" className={styles.pairOf}>
          one for each side
        </EventDrop>
        <EventLine summary={summary} />
      </div>
    </section>
  );
};
