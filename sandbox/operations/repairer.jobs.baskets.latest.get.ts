import { refuseFor } from "../contract/causes.ts";
import { basketsLatestGet } from "../contract/operations/partner.ts";
import { basketOf } from "../rules/baskets.ts";
import { handler } from "./handler.ts";
import { latestBasket } from "./latest-basket.ts";
import { aboutJob } from "./views.ts";

/** Contract, "repairer.jobs.baskets.latest.get"; a job without parts has empty arrays (D43). */
export const getLatestBasket = handler(basketsLatestGet, (context, input) => {
  const job = context.stores.jobs.find(input.job_identity, context.caller.organization_id);
  if (!job) return refuseFor("job_unknown", ["/job_identity"]);
  context.about(aboutJob(job));
  const { offers, suppliers } = latestBasket(context, job);
  return basketOf(offers, suppliers);
});
