import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import {
  procurementsCancel,
  procurementsPlace,
  supplierProcurementsConfirm,
} from "../../../sandbox/contract/operations/partner.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/values.ts";

/** The operations that move a procurement. */
export const movingOperations = [procurementsPlace, supplierProcurementsConfirm, procurementsCancel] as const;

const leadsTo: ReadonlyMap<string, ProcurementStatus> = new Map([
  [procurementsPlace.id, "order_requested"],
  [supplierProcurementsConfirm.id, "order_confirmed"],
  [procurementsCancel.id, "cancelled"],
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
