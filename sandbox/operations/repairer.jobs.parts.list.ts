import { Refusal } from "../contract/errors.ts";
import { partsList } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { findNamedJob } from "./test-values.ts";
import { aboutJob, partView } from "./views.ts";

/** Contract, "repairer.jobs.parts.list", in insertion order (D39). */
export const listParts = handler(partsList, (context, input) => {
  const job = findNamedJob(context, input.job_identity, "/job_identity");
  if (job instanceof Refusal) return job;
  context.about(aboutJob(job));
  return { items: context.stores.parts.listByJob(job.id).map(partView) };
});
