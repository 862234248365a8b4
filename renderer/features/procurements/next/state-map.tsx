import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { iconOf, toneOf } from "../../../components/state.tsx";
import { statusWords } from "../words.ts";

const Node = ({ of: status, here }: { of: ProcurementStatus; here: boolean }) => (
  <span className={`procurements-node ${toneOf(status)}${here ? " here" : ""}`}>
    <Icon of={iconOf(status)} size={14} />
    {statusWords[status]}
  </span>
);

const told = {
  order_requested:
    "It is order_requested. Its supplier may move it to order_confirmed. Either side may move it to cancelled, outside the contract.",
  order_confirmed: "It went from order_requested to order_confirmed, the last state of the contract.",
  cancelled: "It went from order_requested to cancelled. Nothing leads out of cancelled.",
} as const;

/** This one’s states: where it stands, and who may move it where. A way that was not taken is dim. */
export const StateMap = ({ status }: { status: ProcurementStatus }) => {
  const confirming = status === "cancelled" ? "dim" : "supplier";
  const cancelling = status === "order_confirmed" ? "dim" : "either";
  return (
    <div className="procurements-map" role="img" aria-label={told[status]}>
      <Node of="order_requested" here={status === "order_requested"} />
      <svg viewBox="0 0 88 68" preserveAspectRatio="none" fill="none" aria-hidden="true">
        <g className={confirming}>
          <path d="M0 34H14C28 34 22 14 36 14H86" />
          <path d="M82.5 10.5l3.5 3.5-3.5 3.5" />
        </g>
        <g className={cancelling}>
          <path d="M0 34H14C28 34 22 54 36 54H86" strokeDasharray="1.5 3" />
          <path d="M82.5 50.5l3.5 3.5-3.5 3.5" />
        </g>
      </svg>
      <span className="procurements-edge confirm">
        <SideGlyph side={confirming === "dim" ? null : "supplier"} />
      </span>
      <span className="procurements-edge cancel">
        <SideGlyph side={cancelling === "dim" ? null : "repairer"} />
        <SideGlyph side={cancelling === "dim" ? null : "supplier"} />
      </span>
      <Node of="order_confirmed" here={status === "order_confirmed"} />
      <Node of="cancelled" here={status === "cancelled"} />
    </div>
  );
};
