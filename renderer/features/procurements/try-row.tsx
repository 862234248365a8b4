import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { hasPlace } from "../../app/places.ts";
import { Button } from "../../components/button.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Icon, type IconOf } from "../../components/icon.tsx";
import { Id } from "../../components/id.tsx";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { formatMs } from "../../lib/formatting.ts";
import { useConfirm } from "./mutations.ts";
import { asExpected, type TryStep } from "./tries.ts";

const Outcome = ({ step, confirm }: { step: TryStep; confirm: ReturnType<typeof useConfirm> }) => {
  if (confirm.error) return <p className="procurements-outcome bad">no answer: {confirm.error.message}</p>;
  if (!confirm.data) return null;
  const { status, failure, durationMs, requestId } = confirm.data;
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
      </div>
      {failure && <p>{failure.message}</p>}
      <p className="t3">
        {formatMs(durationMs)}
        {requestId && (
          <>
            , request <Id value={requestId} what="request id" />
          </>
        )}
      </p>
    </div>
  );
};

/** One call that will not move it: what is expected and why, a button that sends it, and what the service said. */
export const TryRow = ({ id, step, icon }: { id: string; step: TryStep; icon: IconOf }) => {
  const confirm = useConfirm(id);
  const { key, expected, because, origin } = step;
  return (
    <li className="procurements-try">
      <Icon of={icon} size={14} />
      <span>{step.title}</span>
      {key === null ? (
        hasPlace("install") && <TextLink href="/install">Install</TextLink>
      ) : (
        <Button small busy={confirm.isPending} onClick={() => confirm.mutate(key === "none" ? null : key)}>
          Try<span className="sr">: {step.title}</span>
        </Button>
      )}
      <p>
        <span className="m11">
          {expected.status} {expected.code ?? "ok"}
        </span>
        : {because} <Origin {...origin} />
        {key === null && <span className="procurements-missing">{step.missing}</span>}
      </p>
      <Outcome step={step} confirm={confirm} />
    </li>
  );
};
