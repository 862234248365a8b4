import { useEffect, useRef } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import type { TwoSides } from "../detail/two-sides.ts";
import type { Transition } from "../history/last-transition.ts";
import { type Move, useMove } from "../mutations.ts";
import type { Address } from "../use-address.ts";
import { CancelStep } from "./cancel-step.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { Moved } from "./moved.tsx";
import { RefusedSteps } from "./refused-steps.tsx";
import { StateMap } from "./state-map.tsx";

interface Props {
  readonly row: ProcurementRow;
  readonly sides: TwoSides;
  readonly transition: Transition | null;
  /** When the row was read, in milliseconds of real time. */
  readonly readAt: number;
  readonly address: Address;
}

/** The row is read again a moment after an answer; until then the answer is the newer of the two. */
const statusNow = (row: ProcurementRow, readAt: number, confirm: Move, cancel: Move): ProcurementStatus => {
  const isNewer = ({ data }: Move) => data?.ok === true && readAt < data.answeredAt;
  if (isNewer(confirm)) return "order_confirmed";
  return isNewer(cancel) ? "cancelled" : row.status;
};

/** When a step is gone because somebody else took it, who stood on it stands at the panel's head instead of nowhere. */
const useKeptFocus = (status: ProcurementStatus) => {
  const panel = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const stood = useRef(false);
  // Read while the step is still there: once it is gone, nothing tells that it had the focus.
  stood.current = panel.current?.contains(document.activeElement) ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state is what takes steps away
  useEffect(() => {
    if (stood.current && document.activeElement === document.body) title.current?.focus();
  }, [status]);
  return { panel, title };
};

/** What may happen to this one now, by whom and with which consequences; and what may not, and why. */
export const NextPanel = ({ row, sides, transition, readAt, address }: Props) => {
  const confirm = useMove("supplier.procurements.confirm", row.id);
  const cancel = useMove("procurements.cancel", row.id);
  const status = statusNow(row, readAt, confirm, cancel);
  const { panel, title } = useKeptFocus(status);
  return (
    <aside ref={panel} className="procurements-next scroll" aria-labelledby="procurements-next-title">
      <div className="sec">
        <h2 ref={title} tabIndex={-1} id="procurements-next-title">
          What may happen next
        </h2>
      </div>
      <StateMap status={status} />
      {status === "order_requested" ? (
        <>
          <ConfirmStep id={row.id} sides={sides} confirm={confirm} address={address} />
          <CancelStep id={row.id} sides={sides} cancel={cancel} />
        </>
      ) : (
        <Moved
          row={row}
          status={status}
          sides={sides}
          answer={(status === "cancelled" ? cancel.data : confirm.data) ?? null}
          transition={transition}
          address={address}
        />
      )}
      <RefusedSteps row={row} status={status} sides={sides} />
    </aside>
  );
};
