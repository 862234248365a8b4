import { useQuery } from "@tanstack/react-query";
import { useCredentials } from "../../app/acting.ts";
import { hasPlace } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { organizationsQuery } from "../../app/world-queries.ts";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { Side, SideGlyph } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Countdown, Time } from "../../components/time.tsx";
import { formatCount, formatTotal, plural } from "../../lib/formatting.ts";
import "./map.css";
import { EventDrop, MapEdge, MapNode } from "./map-parts.tsx";
import {
  confirmedQuery,
  deliveryCountQuery,
  eventCountQuery,
  jobSumsQuery,
  lastConfirmQuery,
  stateCountQuery,
} from "./queries.ts";

const useMapCounts = () => {
  const world = useWorld();
  return {
    credentials: useCredentials().data,
    organizations: useQuery(organizationsQuery(world)).data,
    jobs: useQuery(jobSumsQuery(world)).data,
    requested: useQuery(stateCountQuery(world, "order_requested")).data,
    confirmed: useQuery(confirmedQuery(world)).data,
    cancelled: useQuery(stateCountQuery(world, "cancelled")).data,
  };
};

const Newest = ({ of: state }: { of: { readonly newest: string | null } | undefined }) =>
  state?.newest ? (
    <span className="s">
      newest <Time at={state.newest} />
    </span>
  ) : (
    <span className="s">none yet</span>
  );

/** When the last one was confirmed; where too many are to tell, the last call that did. */
const LastConfirmed = ({
  of: confirmed,
}: {
  of: { readonly total: number; readonly last: string | null } | undefined;
}) => {
  const many = confirmed !== undefined && confirmed.total > 0 && confirmed.last === null;
  const { data: called } = useQuery({ ...lastConfirmQuery(useWorld()), enabled: many });
  const at = many ? called : confirmed?.last;
  if (!at) return <span className="s">{many ? "" : "none yet"}</span>;
  return (
    <span className="s">
      last <span className="sr">confirmed </span>
      <Time at={at} on={many ? "real" : "world"} />
    </span>
  );
};

const EventLine = () => {
  const world = useWorld();
  const events = useQuery(eventCountQuery(world)).data;
  const delivered = useQuery(deliveryCountQuery(world, "delivered")).data;
  const pending = useQuery(deliveryCountQuery(world, "pending")).data;
  const failed = useQuery(deliveryCountQuery(world, "failed")).data;
  return (
    <>
      <div className="ll er" style={{ gridArea: "3 / 1" }}>
        <span>Events</span>
        <span>Deliveries</span>
      </div>
      <div className="er map-keys" style={{ gridArea: "3 / 2 / 4 / 4" }}>
        {events !== undefined && (
          <span className="t12">
            <b className="ink">{formatTotal(events)}</b> in all
          </span>
        )}
      </div>
      <div className="er" style={{ gridArea: "3 / 4 / 4 / 7" }}>
        <span className="et m11">
          <SideGlyph side="repairer" />
          repairer.jobs
        </span>
      </div>
      <div className="er end" style={{ gridArea: "3 / 7 / 4 / 11" }}>
        <span className="row map-events">
          <span className="et m11">
            <SideGlyph side="repairer" />
            repairer.procurements
          </span>
          <span className="et m11">
            <SideGlyph side="supplier" />
            supplier.procurements
          </span>
        </span>
      </div>
      <div className="dl" style={{ gridArea: "3 / 2 / 4 / 11" }}>
        {delivered?.total === 0 && pending?.total === 0 && failed?.total === 0 && (
          <span className="t12 t3">none yet: an event goes to who is subscribed when it happens</span>
        )}
        {delivered && delivered.total > 0 && <State of="delivered">{formatCount(delivered.total)} delivered</State>}
        {pending && pending.total > 0 && (
          <State of="pending">
            <TextLink href="/webhooks">{formatCount(pending.total)} pending</TextLink>
            {pending.nextTry && (
              <>
                , next try in <Countdown to={pending.nextTry} as="span" on="real" />
              </>
            )}
          </State>
        )}
        {failed && failed.total > 0 && <State of="failed">{formatCount(failed.total)} failed</State>}
        <span className="grow" />
        {hasPlace("webhooks") && (
          <span className="t12">
            <TextLink href="/webhooks">Open the feed</TextLink>
          </span>
        )}
      </div>
    </>
  );
};

/** The lifecycle: its stations with live counts, who moves each step, and where events arise. */
export const LifecycleMap = () => {
  const { credentials, organizations, jobs, requested, confirmed, cancelled } = useMapCounts();
  const suppliers = organizations?.filter((organization) => organization.scope === "supplier");
  const own = new Set(credentials?.map((credential) => credential.organization_id));
  const reach = suppliers?.filter((supplier) => own.has(supplier.id)).length;
  const bySide = (side: string) => credentials?.filter((credential) => credential.scope === side).length ?? 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the map scrolls sideways in narrow windows and must be reachable by keyboard
    <section className="map" aria-label="Lifecycle map" tabIndex={0}>
      <div className="g">
        <div className="lane l1" />
        <div className="lane l2" />
        <div className="lane l3" />
        <div className="ll" style={{ gridArea: "1 / 1" }}>
          <Side side="repairer" />
        </div>
        <div className="ll" style={{ gridArea: "2 / 1" }}>
          <Side side="supplier" />
        </div>
        <MapNode
          at="1 / 2 / 3 / 3"
          className="two map-keys"
          label="Credentials"
          count={credentials?.length}
          place="install"
        >
          <span className="s">
            buyer {bySide("repairer")}, supplier {bySide("supplier")}
          </span>
        </MapNode>
        <MapEdge at="1 / 3" className="buyer map-keys" operation="jobs.insert">
          <SideGlyph side="repairer" labelled />
          <Origin of="contract" />
        </MapEdge>
        <MapNode at="1 / 4" className="one buyer" label="Jobs" count={jobs?.counted} place="jobs">
          {jobs?.lastChange ? (
            <span className="s">
              <span className="map-keys">changed </span>
              <Time at={jobs.lastChange} />
            </span>
          ) : (
            <span className="s">none yet</span>
          )}
        </MapNode>
        <MapEdge at="1 / 5" className="buyer" operation="jobs.parts.insert">
          <SideGlyph side="repairer" labelled />
          <Origin of="contract" />
        </MapEdge>
        <MapNode
          at="1 / 6"
          className="one buyer"
          label="Baskets"
          count={jobs?.whole ? jobs.baskets : undefined}
          place="jobs"
        >
          <span className="s" title="A job has a basket as soon as it has parts">
            {jobs?.whole ? `for ${plural(jobs.parts, "part")}` : "one per job"}
          </span>
        </MapNode>
        <div className="up" style={{ gridArea: "1 / 6 / 3 / 7" }}>
          <span className="m11 t2">
            offers <Origin of="assumption" id="D43" tight />
          </span>
        </div>
        <MapNode at="2 / 6" className="one supplier" label="Suppliers" count={suppliers?.length} place="none">
          <span className="s">{reach === undefined ? "" : `${formatCount(reach)} you can act as`}</span>
        </MapNode>
        <MapEdge at="1 / 7" className="buyer" operation="procurements.place">
          <SideGlyph side="repairer" labelled />
          <Origin of="extension" />
        </MapEdge>
        <MapNode
          at="1 / 8 / 3 / 9"
          className="two st-n wait"
          label={<State of="order_requested" />}
          count={requested}
          place="procurements"
        >
          <Newest of={requested} />
        </MapNode>
        <MapEdge at="1 / 9" operation="procurements.cancel" title="Either side may, from order_requested only">
          <SideGlyph side="repairer" labelled />
          <SideGlyph side="supplier" labelled />
          <Origin of="extension" />
        </MapEdge>
        <MapNode
          at="1 / 10"
          className="st-n off"
          label={<State of="cancelled" />}
          count={cancelled}
          place="procurements"
        >
          <span className="s">
            no event <Origin of="assumption" id="D74" tight />
          </span>
        </MapNode>
        <MapEdge at="2 / 9" className="supplier" operation="procurements.confirm">
          <SideGlyph side="supplier" labelled />
          <Origin of="contract" />
        </MapEdge>
        <MapNode
          at="2 / 10"
          className="st-n ok"
          label={<State of="order_confirmed" />}
          count={confirmed}
          place="procurements"
        >
          <LastConfirmed of={confirmed} />
        </MapNode>
        <EventDrop at="1 / 4 / 3 / 5">each insert, update or delete</EventDrop>
        <EventDrop at="1 / 7 / 3 / 8" className="pl">
          one a side
        </EventDrop>
        <EventDrop at="2 / 9" className="cf">
          one a side
        </EventDrop>
        <EventLine />
      </div>
    </section>
  );
};
