import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { worldSummary } from "../../../sandbox/contract/control/world-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { useCredentials } from "../../app/acting.ts";
import { hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { organizationsQuery, worldSummaryQuery } from "../../app/world-queries.ts";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { Side, SideGlyph } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { NextAttempt } from "../../domain/delivery/next-attempt.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { formatCount, formatTotal, plural, pluralTotal, type Total } from "../../lib/formatting.ts";
import styles from "./map.module.css";

interface NodeProps {
  readonly at: string;
  readonly className: string;
  readonly label: ReactNode;
  /** Undefined while it is not known. */
  readonly count: number | Total | undefined;
  readonly children?: ReactNode;
  /** Suppliers have none: what one of them has is among the orders. */
  readonly place?: string;
}

/** A station of the lifecycle with its live count, which leads to its place if it has one. */
const MapNode = ({ at, className, label, count, children, place }: NodeProps) => {
  const inside = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.count} data-count="">
        {count === undefined ? (
          <span className="t3">–</span>
        ) : typeof count === "number" ? (
          formatCount(count)
        ) : (
          formatTotal(count)
        )}
      </span>
      {children}
    </>
  );
  const style = { gridArea: at };
  return place === undefined ? (
    <div className={`col ${styles.node} ${className}`} style={style}>
      {inside}
    </div>
  ) : (
    <Link href={`/${place}`} className={`col ${styles.node} ${className}`} style={style}>
      {inside}
    </Link>
  );
};

/** A step between two stations: its operation, who may take it, where that comes from. */
const MapEdge = ({
  at,
  className,
  operation,
  children,
  title,
}: {
  at: string;
  className?: string;
  operation: string;
  children: ReactNode;
  title?: string;
}) => (
  <div className={`${styles.edge} ${className ?? ""}`} style={{ gridArea: at }} title={title}>
    <span className={styles.above}>{operation}</span>
    <span className={styles.line} aria-hidden="true" />
    <span className={styles.below}>{children}</span>
  </div>
);

/** Where an event comes from, dropped down to the line of events. */
const EventDrop = ({
  at,
  className = "",
  children,
}: {
  at: string;
  className?: string | undefined;
  children: ReactNode;
}) => (
  <div className={`${styles.drop} ${className}`} style={{ gridArea: at }}>
    <span>{children}</span>
  </div>
);

type Summary = ResponseOf<typeof worldSummary>;

/** When the last one came into a status. */
const Last = ({ of, said }: { of: Summary["procurements"]["by_status"]["cancelled"] | undefined; said: ReactNode }) => (
  <span className={styles.small}>
    {of?.last_at && (
      <>
        {said} <Time at={of.last_at} />
      </>
    )}
    {of?.last_at === null && "none yet"}
  </span>
);

/** Attempts that failed at addresses for which something waits: that is not merely pending. */
const useFailedAttempts = (): number =>
  useQuery({
    ...subscriptionsQuery(useWorld()),
    select: (all) =>
      all.reduce((sum, { pending, consecutive_failures }) => sum + (pending > 0 ? consecutive_failures : 0), 0),
  }).data ?? 0;

const Deliveries = ({ of: { delivered, pending, failed, next_attempt_at } }: { of: Summary["deliveries"] }) => {
  const failedAttempts = useFailedAttempts();
  return (
    <>
      {delivered > 0 && <State of="delivered">{formatCount(delivered)} delivered</State>}
      {pending > 0 && (
        <State of="pending">
          <span>
            <TextLink href={hrefs.deliveries("pending")}>{formatCount(pending)} pending</TextLink>
            {failedAttempts > 0 && `, retrying, ${plural(failedAttempts, "attempt")} failed`}
            {next_attempt_at && (
              <>
                , <NextAttempt at={next_attempt_at} />
              </>
            )}
          </span>
        </State>
      )}
      {failed > 0 && <State of="failed">{formatCount(failed)} given up</State>}
      <span className="t12 t3 el">
        {delivered + pending + failed === 0 && "none yet: "}an event goes to who is subscribed when it happens, else to
        nobody
      </span>
    </>
  );
};

const EventLine = ({ summary }: { summary: Summary | undefined }) => (
  <>
    <div className={`${styles.laneName} ${styles.types}`} style={{ gridArea: "3 / 1" }}>
      <span>Events</span>
      <span>Deliveries</span>
    </div>
    <div className={`${styles.types} ${styles.keys}`} style={{ gridArea: "3 / 2 / 4 / 4" }}>
      {summary && (
        <span className="t12">
          <b className="ink">{formatTotal(summary.events)}</b> in all
        </span>
      )}
    </div>
    <div className={styles.types} style={{ gridArea: "3 / 4 / 4 / 7" }}>
      <span className={`${styles.type} m11`}>
        <SideGlyph side="repairer" />
        repairer.jobs
      </span>
    </div>
    <div className={`${styles.types} ${styles.end}`} style={{ gridArea: "3 / 7 / 4 / 11" }}>
      <span className={`row ${styles.pair}`}>
        <span className={`${styles.type} m11`}>
          <SideGlyph side="repairer" />
          repairer.procurements
        </span>
        <span className={`${styles.type} m11`}>
          <SideGlyph side="supplier" />
          supplier.procurements
        </span>
      </span>
    </div>
    <div className={`row ${styles.deliveries}`} style={{ gridArea: "3 / 2 / 4 / 11" }}>
      {summary && <Deliveries of={summary.deliveries} />}
      <span className="grow" />
      <span className="t12">
        <TextLink href="/webhooks">Open webhooks</TextLink>
      </span>
    </div>
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
  const bySide = (side: string) => credentials?.filter((credential) => credential.scope === side).length ?? 0;
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
          at="1 / 2 / 3 / 3"
          className={`${styles.bothSides} ${styles.keys}`}
          label="Credentials"
          count={credentials?.length}
          place="install"
        >
          <span className={styles.small}>
            buyer&nbsp;{bySide("repairer")}, supplier&nbsp;{bySide("supplier")}
          </span>
        </MapNode>
        <MapEdge at="1 / 3" className={`buyer ${styles.keys}`} operation="jobs.insert">
          <SideGlyph side="repairer" labelled />
          <Origin of="contract" />
        </MapEdge>
        <MapNode at="1 / 4" className={`${styles.oneSide} buyer`} label="Jobs" count={summary?.jobs} place="jobs">
          {summary?.jobs.last_changed_at ? (
            <span className={styles.small}>
              changed <Time at={summary.jobs.last_changed_at} />
            </span>
          ) : (
            <span className={styles.small}>none yet</span>
          )}
        </MapNode>
        <MapEdge at="1 / 5" className="buyer" operation="jobs.parts.insert">
          <SideGlyph side="repairer" labelled />
          <Origin of="contract" />
        </MapEdge>
        <MapNode at="1 / 6" className={`${styles.oneSide} buyer`} label="Baskets" count={summary?.baskets} place="jobs">
          <span className={styles.small} title="A job has a basket as soon as it has parts">
            {summary ? `for ${pluralTotal(summary.parts, "part")}` : "one per job"}
          </span>
        </MapNode>
        <div className={styles.offers} style={{ gridArea: "1 / 6 / 3 / 7" }}>
          <span className="m11 t2">
            offers
            <Origin of="assumption" id="D43" />
          </span>
        </div>
        <MapNode at="2 / 6" className={`${styles.oneSide} supplier`} label="Suppliers" count={suppliers?.length}>
          <span className={styles.small}>{reach === undefined ? "" : `${formatCount(reach)} you can act as`}</span>
        </MapNode>
        <MapEdge at="1 / 7" className="buyer" operation="procurements.place">
          <SideGlyph side="repairer" labelled />
          <Origin of="extension" />
        </MapEdge>
        <MapNode
          at="1 / 8 / 3 / 9"
          className={`${styles.bothSides} ${styles.state} wait`}
          label={<State of="order_requested" />}
          count={order_requested}
          place="procurements"
        >
          <Last of={order_requested} said="newest" />
        </MapNode>
        <MapEdge at="1 / 9" operation="procurements.cancel" title="Either side may, from order_requested only">
          <SideGlyph side="repairer" labelled />
          <SideGlyph side="supplier" labelled />
          <Origin of="extension" />
        </MapEdge>
        <MapNode
          at="1 / 10"
          className={`${styles.state} off`}
          label={<State of="cancelled" />}
          count={cancelled}
          place="procurements"
        >
          <span className={styles.small}>no event</span>
          <span>
            <Origin of="assumption" id="D74" />
          </span>
        </MapNode>
        <MapEdge at="2 / 9" className="supplier" operation="procurements.confirm">
          <SideGlyph side="supplier" labelled />
          <Origin of="contract" />
        </MapEdge>
        <MapNode
          at="2 / 10"
          className={`${styles.state} ok`}
          label={<State of="order_confirmed" />}
          count={order_confirmed}
          place="procurements"
        >
          <Last
            of={order_confirmed}
            said={
              <>
                last<span className="sr"> confirmed</span>
              </>
            }
          />
        </MapNode>
        <EventDrop at="1 / 4 / 3 / 5">each insert, update or delete</EventDrop>
        <EventDrop at="1 / 7 / 3 / 8" className={styles.placed}>
          one for each side
        </EventDrop>
        <EventDrop at="2 / 9" className={styles.confirmed}>
          one for each side
        </EventDrop>
        <EventLine summary={summary} />
      </div>
    </section>
  );
};
