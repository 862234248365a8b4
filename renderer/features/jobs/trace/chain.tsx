import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DeliveryRow, EventRow, RequestRow, StateChange } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { DiffView } from "../../../components/diff-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Countdown, Time } from "../../../components/time.tsx";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { traceQuery } from "../queries.ts";

const Line = ({ children }: { children: ReactNode }) => <li className="row t12 jobs-chain-line">{children}</li>;

const Delivery = ({ delivery }: { delivery: DeliveryRow }) => (
  <Line>
    <State of={delivery.status} />
    <span className="m11 el">{delivery.url}</span>
    <span className="t3 nw">
      {delivery.attempts_made === 1 ? "1 try" : `${formatCount(delivery.attempts_made)} tries`}
    </span>
    {delivery.last_status !== null && <HttpStatus status={delivery.last_status} error={delivery.last_error} />}
    {delivery.last_error && <span className="t3 el">{delivery.last_error}</span>}
    {delivery.next_attempt_at && (
      <span className="t3 nw">
        next in <Countdown to={delivery.next_attempt_at} as="span" on="real" />
      </span>
    )}
    <span className="grow" />
    <TextLink href={hrefs.delivery(delivery.id)}>Open</TextLink>
  </Line>
);

const Event = ({ event, deliveries }: { event: EventRow; deliveries: readonly DeliveryRow[] }) => (
  <li className="jobs-chain-event">
    <div className="row t12">
      <SideGlyph side={event.event_type.startsWith("supplier") ? "supplier" : "repairer"} labelled />
      <span className="m">{event.event_type}</span>
      <span className="t2">{event.payload.status ?? event.payload.change_action}</span>
      <span className="t2 el">{event.label}</span>
      <span className="grow" />
      <span className="t3">
        <Time at={event.event_timestamp} as="precise" />
      </span>
    </div>
    <ul>
      {deliveries.length === 0 && (
        <Line>
          <span className="t3">no subscription, or none any longer: nothing to deliver</span>
        </Line>
      )}
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  </li>
);

const Change = ({ change }: { change: StateChange }) => (
  <DiffView title={`${change.entity} ${change.label}, ${change.change}`} before={change.before} after={change.after} />
);

/** What a call set in motion: the state that changed, the events, their deliveries and what was answered. */
export const Chain = ({ request }: { request: RequestRow }) => {
  const query = useQuery(traceQuery(useWorld(), request.trace_id));
  return (
    <Read of={query} what="the trace">
      {(data) => {
        const { changes, events, deliveries } = data;
        return (
          <>
            <Section title="State" note={changes.length === 0 ? "nothing changed" : plural(changes.length, "change")}>
              {changes.length > 0 && (
                <div className="jobs-pad col jobs-chain-changes">
                  {changes.map((change) => (
                    <Change key={`${change.entity} ${change.id}`} change={change} />
                  ))}
                </div>
              )}
            </Section>
            <Section
              title="Events and deliveries"
              note={
                events.length === 0
                  ? "no event"
                  : `${plural(events.length, "event")}, ${plural(deliveries.length, "delivery", "deliveries")}`
              }
            >
              {events.length > 0 && (
                <ul className="jobs-pad">
                  {events.map((event) => (
                    <Event
                      key={event.id}
                      event={event}
                      deliveries={deliveries.filter(({ event_id }) => event_id === event.id)}
                    />
                  ))}
                </ul>
              )}
            </Section>
          </>
        );
      }}
    </Read>
  );
};
