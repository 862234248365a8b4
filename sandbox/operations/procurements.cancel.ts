import { refuseFor } from "../contract/causes.ts";
import { procurementsCancel } from "../contract/operations/partner.ts";
import { moveProcurement } from "../rules/procurements/procurement-states.ts";
import { handler } from "./handler.ts";
import { appendChange, updatePartStatus } from "./procurement-changes.ts";
import { aboutProcurement, buyerView, jobLabel, procurementLabel, supplierView } from "./views.ts";

/** Extension: either side can cancel while order_requested. No event, because the contract has no such status (D74). */
export const cancelProcurement = handler(procurementsCancel, (context, input) => {
  const { stores, caller } = context;
  const procurement = stores.procurements.get(input.identity.id);
  const party =
    caller.scope === "repairer" ? procurement?.buyer_organization_id : procurement?.supplier_organization_id;
  if (!procurement || party !== caller.organization_id) return refuseFor("procurement_unknown", ["/identity/id"]);
  context.about(aboutProcurement(procurement));
  const move = moveProcurement("cancel", procurement.status, context.policies);
  if (move.kind === "refused") return refuseFor(move.cause, ["/identity/id"], move.message, { code: move.code });
  const after = { ...procurement, status: "cancelled" as const, updated_at: context.now };
  stores.procurements.update(after);
  appendChange(context, procurement, after);
  const job = stores.jobs.get(procurement.job_id);
  updatePartStatus(context, after, job ? jobLabel(job) : procurementLabel(after));
  context.about({ outcome: "now cancelled" });
  return caller.scope === "repairer" ? buyerView(after) : supplierView(after);
});
