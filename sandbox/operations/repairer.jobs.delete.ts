import { refuseFor } from "../contract/causes.ts";
import { Refusal } from "../contract/errors.ts";
import { jobsDelete } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";
import { findNamedJob, readTestValue } from "./test-values.ts";
import { aboutJob, jobLabel, jobView, procurementLabel } from "./views.ts";

/** Extension: deletes a job with its parts and cancelled procurements. The only source of a `deleted` event (D75). */
export const deleteJob = handler(jobsDelete, (context, input) => {
  const { stores } = context;
  const job = findNamedJob(context, input.identity, "/identity");
  if (job instanceof Refusal) return job;
  context.about(aboutJob(job));
  const live = stores.procurements.listByJob(job.id).find((one) => one.status !== "cancelled");
  if (live)
    return refuseFor(
      "job_has_live_procurement",
      ["/identity"],
      `/identity names job ${job.id}, which has procurement ${procurementLabel(live)} in ${live.status}`,
      {
        fact: `The job has order ${procurementLabel(live)}, which is ${live.status}.`,
        remedy:
          live.status === "order_requested"
            ? `Cancel order \`${live.id}\` with \`procurements.cancel\` first.`
            : "Keep the job: a confirmed order can’t be cancelled, and a job with one can’t be deleted.",
      },
    );
  stores.procurements.deleteByJob(job.id);
  stores.parts.deleteByJob(job.id);
  stores.jobs.delete(job.id);
  const label = jobLabel(job);
  context.changed({
    entity: "job",
    id: job.id,
    label,
    change: "deleted",
    job_id: job.id,
    before: jobView(job, context.baseUrl),
    after: null,
  });
  context.emit(
    {
      event_type: "repairer.jobs",
      organization_id: job.organization_id,
      payload: { job_id: job.id, change_action: "deleted" },
      job_id: job.id,
      procurement_id: null,
      label,
      announces: "deleted",
    },
    readTestValue(context, job, "webhook"),
  );
  context.about({ outcome: "deleted" });
  return { id: job.id };
});
