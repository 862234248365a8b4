import { refuseFor } from "../contract/causes.ts";
import { partsList } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { aboutJob, partView } from "./views.ts";

/** Contract, "repairer.jobs.parts.list", in insertion order (D39). */
export const listParts = handler(partsList, (context, input) => {
  const job = context.stores.jobs.find(input.job_identity, context.caller.organization_id);
  if (!job) return refuseFor("job_unknown", ["/job_identity"]);
  context.about(aboutJob(job));
  return { items: context.stores.parts.ofJob(job.id).map(partView) };
});
