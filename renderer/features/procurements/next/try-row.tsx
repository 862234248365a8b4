import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { hasPlace } from "../../../app/places.ts";
import { useUi } from "../../../app/ui-store.ts";
import { Button } from "../../../components/button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Operation } from "../../../components/operation.tsx";
import { Origin } from "../../../components/origin.tsx";
import { formatMs } from "../../../lib/formatting.ts";
import { installHref } from "../install-href.ts";
import { type Move, useMove } from "../mutations.ts";
import { asExpected, type TryStep } from "./tries.ts";

const Outcome = ({ step, move }: { step: TryStep; move: Move }) => {
  const showInWire = useUi((state) => state.showInWire);
  if (move.error) return <p className="procurements-outcome bad">No answer: {move.error.message}</p>;
  if (!move.data) return null;
  const { status, failure, durationMs, requestId } = move.data;
  const expected = asExpected(step, status, failure?.code ?? null);
  return (
    <div className="procurements-outcome" role="status">
      <div className="row wrap">
        <HttpStatus status={status} />
        <span className="m11">{failure?.code ?? "ok"}</span>
        <span className={`st ${expected ? "ok" : "bad"}`}>
          <Icon of={expected ? IconCheck : IconAlertTriangle} size={14} />
          {expected ? "as expected" : `expected ${step.expected.status}`}
        </span>
        <span className="grow" />
        <span className="t3">{formatMs(durationMs)} round trip</span>
      </div>
      {failure && <p className="ink">{failure.message}</p>}
      {expected && <p>{step.explained}</p>}
      {requestId && (
        <button type="button" className="lnk procurements-towire" onClick={() => showInWire(requestId)}>
          Show the exchange
        </button>
      )}
    </div>
  );
};

interface TryProps {
  readonly about: Pick<ProcurementRow, "id" | "reference">;
  readonly step: TryStep;
  readonly icon: IconOf;
}

/** One call that will not move it: what is expected and why, a button that sends it, and what the service said. */
export const TryRow = ({ about, step, icon }: TryProps) => {
  const move = useMove(step.operation, about.id);
  const { key, expected, because, origin } = step;
  return (
    <li className="procurements-try">
      <Icon of={icon} size={14} />
      <span>{step.title}</span>
      {key === null ? (
        hasPlace("install") && <TextLink href={installHref({}, about)}>Install</TextLink>
      ) : (
        <Button small busy={move.isPending} onClick={() => move.mutate(key === "none" ? null : key)}>
          Try<span className="sr">: {step.title}</span>
        </Button>
      )}
      <p className="procurements-call">
        <Operation id={step.operation} side={step.side} />
      </p>
      <p>
        <span className="m11">
          {expected.status} {expected.code ?? "ok"}
        </span>
        : {because} <Origin {...origin} />
        {key === null && <span className="procurements-missing">{step.missing}</span>}
      </p>
      <Outcome step={step} move={move} />
    </li>
  );
};
