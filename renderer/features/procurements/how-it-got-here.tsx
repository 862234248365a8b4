import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { DeliveryRow, EventRow, ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/resources/procurement.ts";
import { hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { Id } from "../../components/id.tsx";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { formatMs } from "../../lib/formatting.ts";
import type { Exchange } from "../../lib/service-client.ts";
import { DeliveryLines } from "./delivery-lines.tsx";
import type { Transition } from "./last-transition.ts";
import { traceQuery } from "./queries.ts";
import type { TwoSides } from "./two-sides.ts";

interface Answered {
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string | null;
}

const Told = ({ events, deliveries }: { events: readonly EventRow[]; deliveries: readonly DeliveryRow[] }) => (
  <ul className="procurements-told" aria-label="Events and deliveries">
    {events.map((event) => (
      <li key={event.id}>
        <span className="row row-1">
          <SideGlyph side={event.event_type === "supplier.procurements" ? "supplier" : "repairer"} labelled />
          <span className="m11">{event.event_type}</span>
        </span>
        <DeliveryLines deliveries={deliveries.filter((delivery) => delivery.event_id === event.id)} />
      </li>
    ))}
  </ul>
);

const Confirmed = ({
  row,
  by,
  answered,
  justNow,
}: {
  row: ProcurementRow;
  by: string;
  answered: Answered;
  justNow: boolean;
}) => {
  const { data: trace } = useQuery(traceQuery(useWorld(), answered.requestId));
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that was pressed is gone; what it led to takes the focus.
    if (justNow) title.current?.focus();
  }, [justNow]);
  return (
    <section className="procurements-allowed done" aria-label="The confirm">
      <div className="procurements-step-head">
        <SideGlyph side="supplier" />
        <h3 ref={title} tabIndex={-1} className="w6">
          Confirmed by {by}
        </h3>
        <Origin of="contract" />
      </div>
      <div className="row wrap t12">
        <HttpStatus status={answered.status} />
        <span className="t2">{formatMs(answered.durationMs)}</span>
        {answered.requestId && (
          <span className="t3">
            request <Id value={answered.requestId} what="request id" />
          </span>
        )}
        <span className="t3">
          <Time at={row.updated_at} />
        </span>
      </div>
      {trace && <Told events={trace.events} deliveries={trace.deliveries} />}
      <TextLink href={hrefs.procurement(row.id, "trace")}>The whole trace</TextLink>
    </section>
  );
};

interface Props {
  readonly row: ProcurementRow;
  readonly status: ProcurementStatus;
  readonly sides: TwoSides;
  readonly answer: Exchange | null;
  readonly transition: Transition | null;
}

/** The answer to the confirm, whoever sent it; or why there is none on record. */
export const HowItGotHere = ({ row, status, sides, answer, transition }: Props) => {
  if (status === "cancelled") {
    return (
      <section className="procurements-allowed">
        <p className="t12 t2">
          Nothing may happen to it any more. The contract does not show what cancels an order; no event tells of it
          either <Origin of="assumption" id="D74" />. The buyer can place the offers again.
        </p>
      </section>
    );
  }
  const mine = answer?.ok && (!transition || transition.request.id === answer.requestId) ? answer : null;
  const theirs = transition && {
    status: transition.request.status,
    durationMs: transition.request.duration_ms,
    requestId: transition.request.id,
  };
  const answered = mine ?? theirs;
  return (
    <>
      {answered && <Confirmed row={row} by={sides.supplier.name} answered={answered} justNow={mine !== null} />}
      <section className="procurements-allowed">
        <p className="t12 t2">
          <code>order_confirmed</code> is the last state of the contract: no operation moves it on.{" "}
          <Origin of="contract" />
          {!answered && " It came with the world in this state, or the log does not reach back that far."}
        </p>
      </section>
    </>
  );
};
