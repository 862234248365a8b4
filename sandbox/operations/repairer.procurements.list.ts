import { Refusal } from "../contract/errors.ts";
import { repairerProcurementsList } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { findNamedJob } from "./test-values.ts";
import { aboutJob, buyerView } from "./views.ts";

/** Contract, "repairer.procurements.list", newest first (D54). */
export const listBuyerProcurements = handler(repairerProcurementsList, (context, input) => {
  const job = findNamedJob(context, input.job_identity, "/job_identity");
  if (job instanceof Refusal) return job;
  context.about(aboutJob(job));
  return { items: context.stores.procurements.listByJob(job.id).map(buyerView) };
});
