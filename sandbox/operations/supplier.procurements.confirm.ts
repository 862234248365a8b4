import { refuseFor } from "../contract/causes.ts";
import { supplierProcurementsConfirm } from "../contract/operations/partner.ts";
import { createConfirmed, moveProcurement } from "../rules/procurements/procurement-states.ts";
import { handler } from "./handler.ts";
import { appendChange, emitBothSides, updatePartStatus } from "./procurement-changes.ts";
import { aboutProcurement, jobLabel, procurementLabel, supplierView } from "./views.ts";

/** Contract, "supplier.procurements.confirm", with D50 to D52. */
export const confirmProcurement = handler(supplierProcurementsConfirm, (context, input) => {
  const { stores, caller } = context;
  const procurement = stores.procurements.get(input.identity.id);
  if (procurement?.supplier_organization_id !== caller.organization_id)
    return refuseFor("procurement_unknown", ["/identity/id"]);
  context.about(aboutProcurement(procurement));
  const move = moveProcurement("confirm", procurement.status, context.policies);
  if (move.kind === "refused") return refuseFor(move.cause, ["/identity/id"], move.message, { code: move.code });
  if (move.kind === "stays") {
    context.about({ outcome: "already confirmed, nothing changed" });
    return supplierView(procurement);
  }
  const after = createConfirmed(procurement, context.now);
  stores.procurements.update(after);
  appendChange(context, procurement, after);
  const job = stores.jobs.get(procurement.job_id);
  updatePartStatus(context, after, job ? jobLabel(job) : procurementLabel(after));
  emitBothSides(context, after, "order_confirmed", job);
  context.about({ outcome: "now order_confirmed" });
  return supplierView(after);
});
