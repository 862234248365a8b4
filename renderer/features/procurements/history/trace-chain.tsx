import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DeliveryRow, EventRow, RequestRow, StateChange } from "../../../../sandbox/contract/control/rows.ts";
import { events as eventTypes } from "../../../../sandbox/contract/event-types.ts";
import { useUi } from "../../../app/ui-store.ts";
import { useWorld } from "../../../app/world.ts";
import { DiffView } from "../../../components/diff-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Id } from "../../../components/id.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { formatMs, plural } from "../../../lib/formatting.ts";
import { traceQuery } from "../queries.ts";
import { DeliveryLines } from "./delivery-lines.tsx";

const Step = ({ name, children }: { name: string; children: ReactNode }) => (
  <li className="procurements-step">
    <h3 className="lbl">{name}</h3>
    <div className="procurements-step-body">{children}</div>
  </li>
);

const Event = ({ event, deliveries }: { event: EventRow; deliveries: readonly DeliveryRow[] }) => (
  <div className="procurements-event">
    <div className="row t12">
      <SideGlyph side={eventTypes[event.event_type].side} labelled />
      <span className="m">{event.event_type}</span>
      <span className="t2">{event.payload.status ?? event.payload.change_action}</span>
      <span className="grow" />
      <span className="t3">
        <Time at={event.event_timestamp} as="precise" />
      </span>
    </div>
    <DeliveryLines deliveries={deliveries} />
  </div>
);

/** The parts of a job name themselves so. */
const titleOf = ({ entity, label }: StateChange) => (entity === "parts" ? label : `${entity} ${label}`);

const Change = ({ change }: { change: StateChange }) =>
  change.before === null ? (
    <p className="t12">
      {titleOf(change)} {change.change}
    </p>
  ) : (
    <DiffView title={titleOf(change)} before={change.before} after={change.after} />
  );

const Nobody = ({ request }: { request: RequestRow }) => (
  <p className="t12 t3">
    Nobody was told
    {request.operation === "procurements.cancel" && request.status === 200 ? (
      <>
        : events have no status for it <Origin of="assumption" id="D74" />
      </>
    ) : (
      "."
    )}
  </p>
);

/** Request → what changed → what was told → who answered what. */
export const TraceChain = ({ request, caller }: { request: RequestRow; caller: string | null }) => {
  const showInWire = useUi((state) => state.showInWire);
  const query = useQuery(traceQuery(useWorld(), request.trace_id));
  return (
    <Read of={query} what="the trace">
      {(data) => (
        <ol className="procurements-chain" aria-label="Trace">
          <Step name="Request">
            <div className="row wrap t12">
              <HttpStatus status={request.status} />
              <span className="m">{request.error_code ?? request.outcome}</span>
              <span className="t3">{formatMs(request.duration_ms)}</span>
              {request.integration_id && (
                <span className="t3">
                  by {caller} <Id value={request.integration_id} what="integration id" />
                </span>
              )}
              <span className="t3">
                trace <Id value={request.trace_id} what="trace id" />
              </span>
              <span className="t3">
                <Time at={request.at} as="day" on="real" /> <Time at={request.at} as="precise" on="real" />
              </span>
              <button type="button" className="lnk" onClick={() => showInWire(request.id)}>
                Show the exchange
              </button>
            </div>
          </Step>
          <Step name={plural(data.changes.length, "change")}>
            {data.changes.length === 0 && <p className="t12 t3">Nothing was changed.</p>}
            {data.changes.map((change) => (
              <Change key={`${change.entity}:${change.id}`} change={change} />
            ))}
          </Step>
          <Step name={plural(data.events.length, "event")}>
            {data.events.length === 0 && <Nobody request={request} />}
            {data.events.map((event) => (
              <Event
                key={event.id}
                event={event}
                deliveries={data.deliveries.filter((delivery) => delivery.event_id === event.id)}
              />
            ))}
          </Step>
        </ol>
      )}
    </Read>
  );
};
