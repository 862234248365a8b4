import type { StateCause } from "../contract/causes.ts";
import type { Policies } from "../contract/control/policies.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { AnnouncedStatus } from "../contract/events.ts";
import type { ProcurementStatus } from "../contract/values.ts";

export type ProcurementMove = "confirm" | "cancel";

/** What a move does from a state: go on, stay as it is without events, or be refused. */
export type MoveResult =
  | { readonly kind: "moves"; readonly to: ProcurementStatus; readonly announces: AnnouncedStatus | null }
  | { readonly kind: "stays" }
  | { readonly kind: "refused"; readonly cause: StateCause; readonly code: ErrorCode; readonly message?: string };

type StatePolicies = Pick<Policies, "confirm_when_confirmed" | "confirm_when_cancelled">;
type Cell = MoveResult | ((policies: StatePolicies) => MoveResult);

const refused = (cause: StateCause, code: ErrorCode, message?: string): MoveResult =>
  message === undefined ? { kind: "refused", cause, code } : { kind: "refused", cause, code, message };

/**
 * Contract, "Procurement status", with D50, D51 and D74: every move from every state.
 */
const table: Record<ProcurementMove, Record<ProcurementStatus, Cell>> = {
  confirm: {
    order_requested: { kind: "moves", to: "order_confirmed", announces: "order_confirmed" },
    order_confirmed: (policies) =>
      policies.confirm_when_confirmed === "ok"
        ? { kind: "stays" }
        : refused("confirmed_already", "unprocessable", "the procurement is order_confirmed already"),
    cancelled: (policies) =>
      policies.confirm_when_cancelled === "reject"
        ? refused("confirm_of_cancelled", "unprocessable", "the procurement is cancelled and cannot be confirmed")
        : refused("confirm_of_cancelled", "not_found"),
  },
  cancel: {
    order_requested: { kind: "moves", to: "cancelled", announces: null },
    order_confirmed: refused(
      "cancel_of_confirmed",
      "unprocessable",
      "the procurement is order_confirmed, the last state of the contract",
    ),
    cancelled: refused("cancelled_already", "unprocessable", "the procurement is cancelled already"),
  },
};

/** What `move` does to a procurement in `state` under the world's policies. */
export const moveProcurement = (
  move: ProcurementMove,
  state: ProcurementStatus,
  policies: StatePolicies,
): MoveResult => {
  const cell = table[move][state];
  return typeof cell === "function" ? cell(policies) : cell;
};
