import { IconBan, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import type { Side as SideName, Subscription } from "../../../sandbox/contract/control/rows.ts";
import type { Origin as OriginName } from "../../../sandbox/contract/operation.ts";
import { Icon } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import { SideGlyph, sideClass } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { Origin, originMeanings } from "../../domain/decision/origin.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useCredentials } from "../../kernel/credentials/acting.ts";
import { organizationsQuery, worldSummaryQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatCount, formatTotal, plural, pluralTotal, type Total } from "../../lib/formatting.ts";
import styles from "./map.module.css";
import { type Lifecycle, lifecycleQuery } from "./queries.ts";

const origins = ["contract", "assumption", "extension"] as const;

const at = (column: string, row: string): CSSProperties => ({ gridColumn: column, gridRow: row });
const placeLane = (side: SideName): string => (side === "repairer" ? "2" : "3");

interface NodeProps {
  readonly place: CSSProperties;
  readonly tone: SideName | "wait" | "ok";
  readonly label: ReactNode;
  /** Undefined while loading. */
  readonly count: Total | undefined;
  /** Small text below the count. */
  readonly note: ReactNode;
  readonly href: string;
}

/** A station of the lifecycle with its live count, linked to its place. */
const MapNode = ({ place, tone, label, count, note, href }: NodeProps) => {
  const isSide = tone === "repairer" || tone === "supplier";
  return (
    <Link href={href} className={`${styles.node} ${isSide ? sideClass(tone) : tone}`} data-side={isSide} style={place}>
      <span className={styles.label}>{label}</span>
      <span className={styles.count} data-count="">
        {count === undefined ? "–" : formatTotal(count)}
      </span>
      <span className={styles.note}>{note}</span>
    </Link>
  );
};

interface EdgeProps {
  readonly place: CSSProperties;
  readonly side: SideName;
  /** Origin of the step: the line's style, and a badge on hover or focus. */
  readonly from: OriginName;
  /** The step in words, and its operations. */
  readonly act: string;
  readonly operations: readonly string[];
  /** The assumption's decision. */
  readonly decision?: string;
}

/** A step between two stations: the line's colour is the side, its style the origin. */
const MapEdge = ({ place, side, from, act, operations, decision }: EdgeProps) => (
  <div className={`${styles.edge} ${sideClass(side)}`} data-from={from} style={place}>
    <span className={styles.act}>{act}</span>
    <span className={styles.line} aria-hidden="true" />
    <span className={styles.operation}>
      {operations.map((operation) => (
        <span key={operation}>
          {operation.split(/(?<=\.)/).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one name
            <Fragment key={index}>
              <wbr />
              {part}
            </Fragment>
          ))}
        </span>
      ))}
      <span className={styles.origin}>
        <Origin of={from} {...(decision === undefined ? {} : { id: decision })} />
      </span>
    </span>
  </div>
);

/** Deliveries to a side's receivers, with their results. */
const Notified = ({ side, subscriptions }: { side: SideName; subscriptions: readonly Subscription[] | undefined }) => {
  const own = subscriptions?.filter(({ scope }) => scope === side);
  const sum = (count: "delivered" | "pending" | "failed") => own?.reduce((all, one) => all + one[count], 0) ?? 0;
  const [pending, failed] = [sum("pending"), sum("failed")];
  const isQuiet = pending + failed === 0;
  const isRetried = own?.some((one) => one.pending > 0 && one.failing_since !== null);
  return (
    <div className={`${styles.node} ${sideClass(side)}`} data-side="true" style={at("9", placeLane(side))}>
      <span className={styles.label}>{side === "repairer" ? "Repairer" : "Supplier"} notified</span>
      <span className={styles.count}>{own ? formatCount(sum("delivered")) : "–"}</span>
      <span className={styles.note}>
        {own?.length === 0 && <TextLink href="/webhooks">no subscription yet</TextLink>}
        {own !== undefined &&
          own.length > 0 &&
          isQuiet &&
          (sum("delivered") === 0 ? (
            <TextLink href="/webhooks">nothing sent yet</TextLink>
          ) : (
            <State of="delivered">
              <TextLink href="/webhooks">all delivered</TextLink>
            </State>
          ))}
        {pending > 0 && (
          <State of="pending">
            <TextLink href={hrefs.deliveries("pending")}>
              {formatCount(pending)} {isRetried ? "retrying" : "pending"}
            </TextLink>
          </State>
        )}
        {failed > 0 && (
          <State of="failed">
            <TextLink href={hrefs.deliveries("failed")}>{formatCount(failed)} failed</TextLink>
          </State>
        )}
      </span>
    </div>
  );
};

/** The side of a lane, and the number of its integrations. */
const Lane = ({ side, installed }: { side: SideName; installed: number | undefined }) => (
  <>
    <div
      className={`${styles.lane} ${sideClass(side)}`}
      style={at("1 / -1", side === "repairer" ? "1 / 3" : "3")}
      aria-hidden="true"
    />
    <div className={`${styles.who} ${sideClass(side)}`} style={at("1", placeLane(side))}>
      <b>
        <SideGlyph side={side} />
        {side === "repairer" ? "Repairer" : "Supplier"}
      </b>
      {side === "repairer" && <span>buyer</span>}
      <span>
        {installed === 0 ? (
          <TextLink href="/install">Install one</TextLink>
        ) : (
          installed && plural(installed, "integration")
        )}
      </span>
    </div>
  </>
);

const Arrow = ({ side }: { side: SideName }) => (
  <div
    className={`${styles.edge} ${sideClass(side)}`}
    data-from="contract"
    style={at("8", placeLane(side))}
    aria-hidden="true"
  >
    <span className={styles.line} />
    <span className={styles.webhook}>
      <Icon of={IconWebhook} size={16} />
    </span>
  </div>
);

/** The lifecycle in two lanes: each step starts at its side, and webhooks go to each side. */
export const LifecycleMap = () => {
  const world = useWorld();
  const credentials = useCredentials().data;
  const organizations = useQuery(organizationsQuery(world)).data;
  const { data: summary } = useQuery(worldSummaryQuery(world));
  const { data: lifecycle } = useQuery(lifecycleQuery(world));
  const { data: subscriptions } = useQuery(subscriptionsQuery(world));
  const { order_requested, order_confirmed, cancelled } = summary?.procurements.by_status ?? {};
  const suppliers = organizations?.filter((organization) => organization.scope === "supplier").length;
  /** Small text below a count once loaded; in an unused world, a note that it is freshly seeded. */
  const loadedNote = (moved: (of: Lifecycle) => ReactNode): ReactNode =>
    lifecycle &&
    (lifecycle.from_seed ? (
      <span>
        <span className={styles.wide}>from </span>seed data
      </span>
    ) : (
      moved(lifecycle)
    ));
  const installed = (side: SideName) => credentials?.filter(({ scope }) => scope === side).length;
  return (
    <section className={styles.map} aria-label="Lifecycle map">
      <div className={styles.grid}>
        <Lane side="repairer" installed={installed("repairer")} />
        <MapEdge
          place={at("2", "2")}
          side="repairer"
          from="contract"
          act="Insert job and parts"
          operations={["jobs.insert", "jobs.parts.insert"]}
        />
        <MapNode
          place={at("3", "2")}
          tone="repairer"
          label="Jobs"
          count={summary?.jobs}
          note={summary && pluralTotal(summary.parts, "part")}
          href="/jobs"
        />
        <MapEdge
          place={at("4", "2")}
          side="repairer"
          from="contract"
          act="Get offers"
          operations={["baskets.latest.get"]}
        />
        <MapNode
          place={at("5", "2")}
          tone="repairer"
          label="Baskets"
          count={summary?.baskets}
          note={loadedNote(({ baskets_today }) => `${formatTotal(baskets_today)} today`)}
          href="/jobs"
        />
        <MapEdge
          place={at("6", "2")}
          side="repairer"
          from="extension"
          act="Place order"
          operations={["procurements.place"]}
        />
        <MapNode
          place={at("7", "2")}
          tone="wait"
          label={<State of="order_requested">Order requested</State>}
          count={order_requested}
          note={loadedNote(({ oldest_requested_at: oldest }) =>
            oldest === null ? (
              "none waiting"
            ) : (
              <span>
                oldest <Time at={oldest} />
              </span>
            ),
          )}
          href="/procurements"
        />
        <Lane side="supplier" installed={installed("supplier")} />
        <MapEdge
          place={at("2 / 5", "3")}
          side="supplier"
          from="assumption"
          act="Offer parts and prices"
          operations={["generated by the sandbox"]}
          decision="D43"
        />
        <MapNode
          place={at("5", "3")}
          tone="supplier"
          label="Offers"
          count={lifecycle?.offers}
          note={suppliers !== undefined && plural(suppliers, "supplier")}
          href="/jobs"
        />
        <span className={styles.up} aria-hidden="true" />
        <MapEdge
          place={at("6", "3")}
          side="supplier"
          from="contract"
          act="Confirm order"
          operations={["procurements.confirm"]}
        />
        <MapNode
          place={at("7", "3")}
          tone="ok"
          label={<State of="order_confirmed">Order confirmed</State>}
          count={order_confirmed}
          note={loadedNote(({ confirmed_last_hour }) => `${formatTotal(confirmed_last_hour)} in the last hour`)}
          href="/procurements"
        />
        <div className={styles.between}>
          <span className={styles.down} aria-hidden="true" />
          <span className={styles.across} aria-hidden="true" />
          <Link
            className={styles.cancelled}
            href="/procurements"
            title="Either side can cancel a requested order. Sends no webhook."
          >
            <Icon of={IconBan} size={12} />
            {cancelled ? formatTotal(cancelled) : "–"} cancelled
          </Link>
        </div>
        <span className={styles.both} aria-hidden="true" />
        <Arrow side="repairer" />
        <Arrow side="supplier" />
        <Notified side="repairer" subscriptions={subscriptions} />
        <Notified side="supplier" subscriptions={subscriptions} />
        <div className={styles.events} aria-hidden="true">
          <span>
            <Icon of={IconWebhook} size={14} />
            repairer.jobs
            {lifecycle && lifecycle.job_events.total > 0 && ` · ${formatTotal(lifecycle.job_events)}`}
          </span>
        </div>
      </div>
      <div className={styles.caption}>
        <span>
          <Icon of={IconWebhook} size={14} /> Signed webhooks: job changes to the repairer, placed and confirmed orders
          to both sides, cancelled ones to none.
        </span>
        {origins.map((origin) => (
          <span key={origin} className={styles.legend} data-from={origin} title={originMeanings[origin]}>
            {origin}
          </span>
        ))}
      </div>
    </section>
  );
};
