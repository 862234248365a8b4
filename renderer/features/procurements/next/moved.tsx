import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { ProcurementRow, Side } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { useWorld } from "../../../app/world.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Id } from "../../../components/id.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { traceQuery } from "../../../domain/trace/queries.ts";
import { EventsAndDeliveries } from "../../../domain/trace/trace-chain.tsx";
import { formatMs } from "../../../lib/formatting.ts";
import type { Exchange } from "../../../lib/service-client.ts";
import type { TwoSides } from "../detail/two-sides.ts";
import { lastMove, type Transition } from "../history/last-transition.ts";
import { movesQuery } from "../queries.ts";
import type { Address } from "../use-address.ts";

/** An answer that moved it, and who had asked. */
export interface Answered {
  readonly status: number;
  /** How long the service took; until its record of the call is read, how long the way there and back. */
  readonly took: string;
  readonly requestId: string | null;
  readonly side: Side | null;
}

interface MoveProps {
  readonly row: ProcurementRow;
  readonly to: "order_confirmed" | "cancelled";
  readonly sides: TwoSides;
  readonly answered: Answered;
  readonly justNow: boolean;
  readonly address: Address;
}

const TheMove = ({ row, to, sides, answered, justNow, address }: MoveProps) => {
  const { data: trace } = useQuery(traceQuery(useWorld(), answered.requestId));
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that was pressed is gone; what it led to takes the focus.
    if (justNow) title.current?.focus();
  }, [justNow]);
  const confirmed = to === "order_confirmed";
  const by = answered.side === "repairer" ? sides.buyer.organization : sides.supplier.name;
  return (
    <section
      className={`procurements-allowed ${confirmed ? "done" : "gone"}`}
      aria-label={confirmed ? "The confirm" : "The cancel"}
    >
      <div className="procurements-step-head">
        <SideGlyph side={answered.side} />
        <h3 ref={title} tabIndex={-1} className="w6">
          {confirmed ? "Confirmed" : "Cancelled"} by {by}
        </h3>
        <Origin of={confirmed ? "contract" : "extension"} />
      </div>
      <div className="row wrap t12">
        <HttpStatus status={answered.status} />
        <span className="t2">{answered.took}</span>
        {answered.requestId && (
          <span className="t3">
            request <Id value={answered.requestId} what="request id" />
          </span>
        )}
        <span className="t3">
          <Time at={row.updated_at} />
        </span>
      </div>
      {trace && trace.events.length > 0 && <EventsAndDeliveries trace={trace} />}
      {!confirmed && (
        <p className="t12 t2">
          Nobody was told: events have no such status <Origin of="assumption" id="D74" />. The other side learns of it
          when it reads the procurement.
        </p>
      )}
      <TextLink href={address.hrefOfTab(row.id, "history")}>The whole trace</TextLink>
    </section>
  );
};

const lastWord: Readonly<Record<MoveProps["to"], ReactNode>> = {
  order_confirmed: (
    <>
      <code>order_confirmed</code> is the last state of the contract: no operation moves it on. <Origin of="contract" />
    </>
  ),
  cancelled: (
    <>
      Nothing leads out of <code>cancelled</code>. The contract does not show what leads into it; here either side may
      cancel. The buyer can place the offers again.
    </>
  ),
};

interface Props {
  readonly row: ProcurementRow;
  readonly status: Exclude<ProcurementStatus, "order_requested">;
  readonly sides: TwoSides;
  /** The answer this window got, if it was the one that moved it. */
  readonly answer: (Exchange & { readonly side: Side | null }) | null;
  readonly transition: Transition | null;
  readonly address: Address;
}

/** The call that brought it here, whoever sent it; or why there is none on record. */
export const Moved = ({ row, status, sides, answer, transition, address }: Props) => {
  const moves = useQuery(movesQuery(useWorld(), row.id)).data;
  const isUnrecorded = moves !== undefined && lastMove(moves.items) === null;
  const mine = answer?.ok && (!transition || transition.request.id === answer.requestId) ? answer : null;
  const theirs = transition && {
    status: transition.request.status,
    took: formatMs(transition.request.duration_ms),
    requestId: transition.request.id,
    side: transition.request.side,
  };
  // Of the call both know of, the record says what every other place says of it.
  const answered: Answered | null = theirs ?? (mine && { ...mine, took: `${formatMs(mine.durationMs)} round trip` });
  return (
    <>
      {answered && (
        <TheMove row={row} to={status} sides={sides} answered={answered} justNow={mine !== null} address={address} />
      )}
      <section className="procurements-allowed">
        <p className="t12 t2">
          {lastWord[status]}
          {!answered &&
            isUnrecorded &&
            " It came with the world in this state, or the log does not reach back that far."}
        </p>
      </section>
    </>
  );
};
