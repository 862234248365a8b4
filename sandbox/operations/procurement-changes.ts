import type { AnnouncedStatus } from "../contract/events.ts";
import { orderingStatuses } from "../rules/procurements/procurement-states.ts";
import type { JobRecord, ProcurementRecord } from "../rules/records.ts";
import type { HandlerContext } from "./handler.ts";
import { readTestValue } from "./test-values.ts";
import { changedParts, procurementLabel, supplierView } from "./views.ts";

/** Contract, "Event types and payloads": one event for each side, the buyer's first. */
export const emitBothSides = (
  context: HandlerContext,
  procurement: ProcurementRecord,
  status: AnnouncedStatus,
  job: JobRecord | undefined,
): void => {
  const webhook = job && readTestValue(context, job, "webhook");
  const shared = {
    payload: { procurement_id: procurement.id, job_id: procurement.job_id, status },
    job_id: procurement.job_id,
    procurement_id: procurement.id,
    label: procurementLabel(procurement),
    announces: status,
  };
  const [buyer, supplier] = [procurement.buyer_organization_id, procurement.supplier_organization_id];
  context.emit({ event_type: "repairer.procurements", organization_id: buyer, ...shared }, webhook);
  context.emit({ event_type: "supplier.procurements", organization_id: supplier, ...shared }, webhook);
};

/**
 * Records a transition of a procurement and its job in the trace. One view suffices: the other differs only in fields
 * no transition changes.
 */
export const appendChange = (
  context: HandlerContext,
  before: ProcurementRecord | null,
  after: ProcurementRecord,
): void => {
  context.changed({
    entity: "procurement",
    id: after.id,
    label: procurementLabel(after),
    change: before ? "updated" : "inserted",
    job_id: after.job_id,
    before: before && supplierView(before),
    after: supplierView(after),
  });
  context.stores.jobs.touch(after.job_id, context.now);
};

/** Updates the status of the parts a procurement covers (D42). */
export const updatePartStatus = (context: HandlerContext, procurement: ProcurementRecord, label: string): void => {
  const { stores, policies } = context;
  const before = stores.parts.listByJob(procurement.job_id);
  const counts = orderingStatuses(policies.part_ordered_on);
  const covered = new Set(procurement.source_items.map((item) => item.job_part_id));
  let hasChanged = false;
  for (const part of before) {
    if (!covered.has(part.id)) continue;
    // Another order is read only if this one doesn't count.
    const isOrdered =
      counts.includes(procurement.status) || stores.parts.isCovered(procurement.job_id, part.id, counts);
    const status = isOrdered ? "ordered" : "estimated";
    if (status === part.status) continue;
    stores.parts.setStatus(part.id, status);
    hasChanged = true;
  }
  if (!hasChanged) return;
  context.changed({
    entity: "parts",
    id: procurement.job_id,
    label: `parts of ${label}`,
    change: "updated",
    job_id: procurement.job_id,
    ...changedParts(before, stores.parts.listByJob(procurement.job_id)),
  });
};
