import { useQuery } from "@tanstack/react-query";
import type { DeliveryRow, EventRow, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { callControl } from "../../../lib/service-client.ts";
import { hrefs } from "../../places.ts";
import { worldKeys } from "../../query-keys.ts";
import { useWorld } from "../../world.ts";

const Deliveries = ({ rows }: { rows: readonly DeliveryRow[] }) =>
  rows.length === 0 ? (
    <span className="t3">no subscription, no delivery</span>
  ) : (
    rows.map((row) => (
      <TextLink key={row.id} href={hrefs.delivery(row.id)}>
        <State of={row.status} title={row.url} />
      </TextLink>
    ))
  );

const EventLine = ({ event, deliveries }: { event: EventRow; deliveries: readonly DeliveryRow[] }) => (
  <li className="row t12">
    <SideGlyph side={event.event_type.startsWith("supplier") ? "supplier" : "repairer"} labelled />
    <span className="m11">{event.event_type}</span>
    <span className="t2">{event.payload.status ?? event.payload.change_action}</span>
    <span className="grow" />
    <Deliveries rows={deliveries} />
  </li>
);

/** The events of an exchange, each with its deliveries as they are now. */
export const ExchangeChain = ({ row }: { row: RequestRow }) => {
  const world = useWorld();
  const { data } = useQuery({
    queryKey: worldKeys(world).traces("events", row.trace_id),
    queryFn: ({ signal }) => callControl("traces.get", { id: row.trace_id, world }, { signal }),
  });
  if (!data) return null;
  return (
    <ul className="wire-events" aria-label="Events and deliveries">
      {data.events.map((event) => (
        <EventLine
          key={event.id}
          event={event}
          deliveries={data.deliveries.filter(({ event_id }) => event_id === event.id)}
        />
      ))}
    </ul>
  );
};
