import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/values.ts";

/** The operations that move a procurement. */
export const movingOperations = [
  "repairer.procurements.place",
  "supplier.procurements.confirm",
  "procurements.cancel",
] as const satisfies readonly PartnerCall[];

const leadsTo: ReadonlyMap<string, ProcurementStatus> = new Map<PartnerCall, ProcurementStatus>([
  ["repairer.procurements.place", "order_requested"],
  ["supplier.procurements.confirm", "order_confirmed"],
  ["procurements.cancel", "cancelled"],
]);

/**
 * The state a call moved the procurement into; null for one that was refused or changed nothing. Confirming again
 * succeeds and tells nobody (D50); a cancel that succeeds always moves, though no event tells of it (D74).
 */
export const movedTo = ({ operation, status, events }: RequestRow): ProcurementStatus | null => {
  const to = operation === null ? undefined : leadsTo.get(operation);
  if (to === undefined || status !== 200) return null;
  return events > 0 || to === "cancelled" ? to : null;
};
