import type { ProcurementStatus } from "../../../sandbox/contract/resources/procurement.ts";
import { Icon } from "../../components/icon.tsx";
import { iconOf, toneOf } from "../../components/state.tsx";

const words = { order_requested: "requested", order_confirmed: "confirmed", cancelled: "cancelled" } as const;

const Node = ({ of: status, here }: { of: ProcurementStatus; here: boolean }) => (
  <span className={`procurements-node ${toneOf(status)}${here ? " here" : ""}`}>
    <Icon of={iconOf(status)} size={14} />
    {words[status]}
  </span>
);

const told = {
  order_requested:
    "It is order_requested. Its supplier may move it to order_confirmed. No operation of the contract leads to cancelled.",
  order_confirmed: "It went from order_requested to order_confirmed, the last state of the contract.",
  cancelled: "It went from order_requested to cancelled. Nothing leads out of cancelled.",
} as const;

/** This one’s states: where it stands, and who may move it where. */
export const StateMap = ({ status }: { status: ProcurementStatus }) => {
  const open = status === "order_requested";
  return (
    <div className="procurements-map" role="img" aria-label={told[status]}>
      <Node of="order_requested" here={open} />
      <svg viewBox="0 0 64 68" fill="none" aria-hidden="true">
        <g className={status === "cancelled" ? "off" : "supplier"}>
          <path d="M0 34H16C28 34 24 14 36 14H62" />
          <path d="M58.5 10.5l3.5 3.5-3.5 3.5" />
        </g>
        <g className="off">
          <path d="M0 34H16C28 34 24 54 36 54H62" strokeDasharray={status === "cancelled" ? undefined : "3 2"} />
          <path d="M58.5 50.5l3.5 3.5-3.5 3.5" />
        </g>
      </svg>
      <Node of="order_confirmed" here={status === "order_confirmed"} />
      <Node of="cancelled" here={status === "cancelled"} />
    </div>
  );
};
