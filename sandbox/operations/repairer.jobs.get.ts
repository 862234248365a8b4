import { refuseFor } from "../contract/causes.ts";
import { jobsGet } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { aboutJob, jobView } from "./views.ts";

/** Contract, "repairer.jobs.get"; another organization's job is not found (D25). */
export const getJob = handler(jobsGet, (context, input) => {
  const job = context.stores.jobs.find(input.identity, context.caller.organization_id);
  if (!job) return refuseFor("job_unknown", ["/identity"]);
  context.about(aboutJob(job));
  return jobView(job, context.baseUrl);
});
