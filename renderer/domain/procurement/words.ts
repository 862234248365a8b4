import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { shortId } from "../../../sandbox/contract/text.ts";
import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/values.ts";
import { fieldIn } from "../../lib/field-in.ts";

/** One-word labels of the states, where the contract's names would not fit. */
export const statusLabels: Readonly<Record<ProcurementStatus, string>> = {
  order_requested: "requested",
  order_confirmed: "confirmed",
  cancelled: "cancelled",
};

/** One-word labels of the transitions into each state. */
export const transitionLabels: Readonly<Record<ProcurementStatus, string>> = {
  order_requested: "placed",
  order_confirmed: "confirmed",
  cancelled: "cancelled",
};

export const isStatus = (value: unknown): value is ProcurementStatus =>
  procurementStatuses.some((status) => status === value);

/** Returns the state in a change's record of an order; null for none. */
export const readStatus = (state: unknown): ProcurementStatus | null => {
  const status = fieldIn(state, "status");
  return isStatus(status) ? status : null;
};

export const orderName = ({ reference, id }: Pick<ProcurementRow, "reference" | "id">): string =>
  reference ?? shortId(id);
