import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../app/acting.ts";

/**
 * Tells whether the sandbox holds a key of a procurement's supplier. A row says how that was when it was read; keys
 * come and go without a change of any procurement.
 */
export const useHasKey = (): ((row: Pick<ProcurementRow, "supplier">) => boolean) => {
  const { candidates, isLoading } = useActAs("supplier");
  return ({ supplier }) =>
    isLoading
      ? supplier.has_credential
      : candidates.some(({ organization_id }) => organization_id === supplier.organization_id);
};
