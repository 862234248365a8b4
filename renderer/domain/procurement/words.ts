import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/values.ts";
import { fieldIn } from "../../lib/field-in.ts";

/** The states in a word each, where the contract's names would not fit. */
export const statusWords: Readonly<Record<ProcurementStatus, string>> = {
  order_requested: "requested",
  order_confirmed: "confirmed",
  cancelled: "cancelled",
};

/** What brought an order into its state, in a word each. */
export const cameBy: Readonly<Record<ProcurementStatus, string>> = {
  order_requested: "placed",
  order_confirmed: "confirmed",
  cancelled: "cancelled",
};

export const isStatus = (value: unknown): value is ProcurementStatus =>
  procurementStatuses.some((status) => status === value);

/** The state in what a change left of a procurement; null where there is none. */
export const statusIn = (state: unknown): ProcurementStatus | null => {
  const status = fieldIn(state, "status");
  return isStatus(status) ? status : null;
};

/** What an order is known by. */
export const orderName = ({ reference, id }: Pick<ProcurementRow, "reference" | "id">): string =>
  reference ?? id.slice(0, 8);
