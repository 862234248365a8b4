import { refuseFor } from "../contract/causes.ts";
import { repairerProcurementsList } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { aboutJob, buyerView } from "./views.ts";

/** Contract, "repairer.procurements.list", newest first (D54). */
export const listBuyerProcurements = handler(repairerProcurementsList, (context, input) => {
  const job = context.stores.jobs.find(input.job_identity, context.caller.organization_id);
  if (!job) return refuseFor("job_unknown", ["/job_identity"]);
  context.about(aboutJob(job));
  return { items: context.stores.procurements.ofJob(job.id).map(buyerView) };
});
