import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { ConfirmStep } from "./confirm-step.tsx";
import { HowItGotHere } from "./how-it-got-here.tsx";
import type { Transition } from "./last-transition.ts";
import { useConfirm } from "./mutations.ts";
import { RefusedSteps } from "./refused-steps.tsx";
import { StateMap } from "./state-map.tsx";
import type { TwoSides } from "./two-sides.ts";

interface Props {
  readonly row: ProcurementRow;
  readonly sides: TwoSides;
  readonly transition: Transition | null;
  /** When the row was read, in milliseconds of real time. */
  readonly readAt: number;
}

/** What may happen to this one now, by whom and with which consequences; and what may not, and why. */
export const NextPanel = ({ row, sides, transition, readAt }: Props) => {
  const confirm = useConfirm(row.id);
  const answer = confirm.data ?? null;
  // The row is read again a moment after the answer; until then the answer is the newer of the two.
  const status = answer?.ok && readAt < answer.answeredAt ? "order_confirmed" : row.status;
  return (
    <aside className="procurements-next scroll" aria-labelledby="procurements-next-title">
      <div className="sec">
        <h2 id="procurements-next-title">What may happen next</h2>
      </div>
      <StateMap status={status} />
      {status === "order_requested" ? (
        <ConfirmStep sides={sides} confirm={confirm} />
      ) : (
        <HowItGotHere row={row} status={status} sides={sides} answer={answer} transition={transition} />
      )}
      <RefusedSteps row={row} status={status} sides={sides} />
    </aside>
  );
};
