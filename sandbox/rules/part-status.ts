import type { Policies } from "../contract/control/policies.ts";
import type { PartStatus } from "../contract/resources/job.ts";
import type { ProcurementStatus } from "../contract/values.ts";

/** D42: `ordered` while a live procurement covers the part, counting from when the world's policy says. */
export const partStatus = (
  covering: readonly ProcurementStatus[],
  orderedOn: Policies["part_ordered_on"],
): PartStatus => {
  const counts: readonly ProcurementStatus[] =
    orderedOn === "placed" ? ["order_requested", "order_confirmed"] : ["order_confirmed"];
  return covering.some((status) => counts.includes(status)) ? "ordered" : "estimated";
};
