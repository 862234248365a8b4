import type { StateCause } from "../../contract/causes.ts";
import type { Policies } from "../../contract/control/policies.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import type { AnnouncedStatus } from "../../contract/events.ts";
import type { ProcurementStatus } from "../../contract/values.ts";
import type { ProcurementRecord } from "../records.ts";

export type ProcurementMove = "confirm" | "cancel";

/** Result of a move: a transition, no change and no events, or a refusal. */
type MoveResult =
  | { readonly kind: "moves"; readonly to: ProcurementStatus; readonly announces: AnnouncedStatus | null }
  | { readonly kind: "stays" }
  | { readonly kind: "refused"; readonly cause: StateCause; readonly code: ErrorCode; readonly message?: string };

type StatePolicies = Pick<Policies, "confirm_when_confirmed" | "confirm_when_cancelled">;
type Cell = MoveResult | ((policies: StatePolicies) => MoveResult);

const refused = (cause: StateCause, code: ErrorCode, message?: string): MoveResult =>
  message === undefined ? { kind: "refused", cause, code } : { kind: "refused", cause, code, message };

/** Contract, "Procurement status", with D50, D51 and D74. */
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

export const moveProcurement = (
  move: ProcurementMove,
  state: ProcurementStatus,
  policies: StatePolicies,
): MoveResult => {
  const cell = table[move][state];
  return typeof cell === "function" ? cell(policies) : cell;
};

const DAY = 86_400_000;

/** Adds working days (Monday to Friday, UTC) and keeps the time of day. @returns milliseconds since 1970 */
export const workingDaysAhead = (from: number, days: number): number => {
  let at = from;
  for (let left = days; left > 0; ) {
    at += DAY;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return at;
};

/**
 * Confirmed copy of a requested procurement. Fills each null that the confirmed stage forbids (D52): `condition` new,
 * `inventory` and `trade_price` from the offer, `deliver_before` three working days ahead.
 */
export const createConfirmed = (procurement: ProcurementRecord, now: number): ProcurementRecord => ({
  ...procurement,
  status: "order_confirmed",
  updated_at: now,
  deliver_before: procurement.deliver_before ?? workingDaysAhead(now, 3),
  offered_items: procurement.offered_items.map((item) => ({
    ...item,
    condition: item.condition ?? { type: "new", payload: {} },
    inventory: item.inventory ?? { sellable_id: item.offer.sellable_id, warehouse_id: item.offer.warehouse_id },
    trade_price: item.trade_price ?? item.offer.trade_price,
  })),
});

/** D42: a part is `ordered` while a procurement with one of these statuses covers it. */
export const orderingStatuses = (orderedOn: Policies["part_ordered_on"]): readonly ProcurementStatus[] =>
  orderedOn === "placed" ? ["order_requested", "order_confirmed"] : ["order_confirmed"];
