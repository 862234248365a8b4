import { Box } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DeliveryRow, EventRow, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { events as eventTypes } from "../../../sandbox/contract/event-types.ts";
import { hrefs } from "../../app/places.ts";
import { useUi } from "../../app/ui-store.ts";
import { useWorld } from "../../app/world.ts";
import { DiffView } from "../../components/diff-view.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Id } from "../../components/id.tsx";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { Read } from "../../components/read.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { formatMs, plural } from "../../lib/formatting.ts";
import { AnswerStatus } from "../delivery/answer-status.tsx";
import { DeliveryState } from "../delivery/delivery-state.tsx";
import { NextAttempt } from "../delivery/next-attempt.tsx";
import { changeTitle, noEvent, undelivered } from "./change-words.ts";
import { type Trace, traceQuery } from "./queries.ts";
import styles from "./trace.module.css";
import { CallVerdict } from "./verdict-note.tsx";

const pathOf = (url: string): string => (URL.canParse(url) ? url.slice(url.indexOf("//") + 2) : url);

const Delivery = ({ delivery }: { delivery: DeliveryRow }) => {
  const { url, attempts_made, last_status, last_error, next_attempt_at } = delivery;
  return (
    <li className="row wrap t12">
      <DeliveryState of={delivery} />
      <span className={`t2 el ${styles.url}`} title={url}>
        {pathOf(url)}
      </span>
      {attempts_made > 0 && <AnswerStatus status={last_status} error={last_error} />}
      {attempts_made > 1 && <span className={`t3 nw ${styles.more}`}>{plural(attempts_made, "attempt")}</span>}
      {next_attempt_at !== null && attempts_made > 0 && (
        <span className={`t3 nw ${styles.more}`}>
          <NextAttempt at={next_attempt_at} />
        </span>
      )}
      <span className="grow" />
      <TextLink href={hrefs.delivery(delivery.id)} title="View delivery">
        Open
      </TextLink>
    </li>
  );
};

const Undelivered = ({ event }: { event: EventRow }) => undelivered(event, useWorld());

const Event = ({ event, deliveries }: { event: EventRow; deliveries: readonly DeliveryRow[] }) => (
  <li>
    <div className="row wrap t12">
      <SideGlyph side={eventTypes[event.event_type].side} labelled />
      <span className="m11">{event.event_type}</span>
      <span className="t2">{event.payload.status ?? event.payload.change_action}</span>
      <span className={`t3 ${styles.at}`}>
        <Time at={event.event_timestamp} as="precise" />
      </span>
    </div>
    {deliveries.length === 0 ? (
      <p className={`t12 t3 ${styles.deliveries}`}>
        <Undelivered event={event} /> {event.deliveries === 0 && <TextLink href="/webhooks">Subscribe</TextLink>}
      </p>
    ) : (
      <ul className={styles.deliveries} aria-label="Deliveries">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    )}
  </li>
);

/** The events of a trace, each with its deliveries as they are now; or why there are none. */
export const EventsAndDeliveries = ({ trace: { changes, events, deliveries } }: { trace: Trace }) => {
  if (events.length === 0) {
    const { sentence, assumption } = noEvent(changes);
    return (
      <p className="t12 t3">
        {sentence} {assumption && <Origin of="assumption" id={assumption} />}
      </p>
    );
  }
  return (
    <ul className={`stack ${styles.events}`} aria-label="Events and deliveries">
      {events.map((event) => (
        <Event key={event.id} event={event} deliveries={deliveries.filter(({ event_id }) => event_id === event.id)} />
      ))}
    </ul>
  );
};

/** What a call changed, before and after, field by field. @param props.brief to name what was made, and not to show it */
export const Changes = ({ changes, brief = false }: Pick<Trace, "changes"> & { brief?: boolean }) =>
  changes.length === 0 ? (
    <p className="t12 t3">No changes.</p>
  ) : (
    changes.map((change) => {
      const { entity, id, before, after } = change;
      const key = `${entity}:${id}`;
      const title = changeTitle(change);
      if (brief && before === null)
        return (
          <p key={key} className="t12">
            {title}
          </p>
        );
      return <DiffView key={key} title={title} before={before} after={after} />;
    })
  );

const Step = ({ name, children }: { name: string; children: ReactNode }) => (
  <li className={styles.step}>
    <h3 className="lbl">{name}</h3>
    <div className="stack">{children}</div>
  </li>
);

/** The trace of one call, in order: request, what changed, events, deliveries. @param by whose key was used */
export const TraceChain = ({ request, by }: { request: RequestRow; by?: string | null }) => {
  const showInWire = useUi((state) => state.showInWire);
  const query = useQuery(traceQuery(useWorld(), request.trace_id));
  return (
    <Read of={query} what="the trace">
      {(trace) => (
        <Box component="ol" pt="xs" pr="lg" pb="md" pl={26} aria-label="Trace">
          <Step name="Request">
            <div className="row wrap t12">
              <HttpStatus status={request.status} />
              <span className="m">{request.error_code ?? request.outcome}</span>
              <span className="t3">{formatMs(request.duration_ms)}</span>
              {request.integration_id && (
                <span className="t3">
                  by {by} <Id value={request.integration_id} what="integration ID" />
                </span>
              )}
              <span className="t3">
                trace <Id value={request.trace_id} what="trace ID" />
              </span>
              <span className="t3">
                <Time at={request.at} as="day" on="real" /> <Time at={request.at} as="precise" on="real" />
              </span>
              <button type="button" className="lnk" onClick={() => showInWire(request.id)}>
                View call
              </button>
            </div>
            <CallVerdict row={request} />
          </Step>
          <Step name={plural(trace.changes.length, "change")}>
            <Changes changes={trace.changes} brief />
          </Step>
          <Step name={plural(trace.events.length, "event")}>
            <EventsAndDeliveries trace={trace} />
          </Step>
        </Box>
      )}
    </Read>
  );
};
