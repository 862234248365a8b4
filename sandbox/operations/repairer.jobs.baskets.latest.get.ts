import { Refusal } from "../contract/errors.ts";
import { basketsLatestGet } from "../contract/operations/partner.ts";
import { buildBasket } from "../rules/procurements/baskets.ts";
import { handler } from "./handler.ts";
import { latestBasket } from "./latest-basket.ts";
import { findNamedJob } from "./test-values.ts";
import { aboutJob } from "./views.ts";

/** Contract, "repairer.jobs.baskets.latest.get". A job without parts has empty arrays (D43). */
export const getLatestBasket = handler(basketsLatestGet, (context, input) => {
  const job = findNamedJob(context, input.job_identity, "/job_identity");
  if (job instanceof Refusal) return job;
  context.about(aboutJob(job));
  const { offers, suppliers } = latestBasket(context, job);
  return buildBasket(offers, suppliers);
});
