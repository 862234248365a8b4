import { Refusal } from "../contract/errors.ts";
import { jobsGet } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { findNamedJob } from "./test-values.ts";
import { aboutJob, jobView } from "./views.ts";

/** Contract, "repairer.jobs.get". Jobs of other organizations are not found (D25). */
export const getJob = handler(jobsGet, (context, input) => {
  const job = findNamedJob(context, input.identity, "/identity");
  if (job instanceof Refusal) return job;
  context.about(aboutJob(job));
  return jobView(job, context.baseUrl);
});
