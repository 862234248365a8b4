import { attemptCauses } from "../../../sandbox/contract/control/words.ts";
import { choice, id, moment, searchParams, textThat, type ValuesOf } from "../../lib/search-params.ts";

/** Filter of deliveries: by status, subscription, or cause of failed attempts. */
export const deliveryParams = searchParams({
  status: choice(["pending", "failed"]),
  subscription: id,
  who: id,
  attempt: choice(attemptCauses),
  /** The status of such attempts, and the earliest time. */
  answered: textThat((text) => /^[1-5]\d\d$/.test(text)),
  from: moment,
});
export type DeliveryFilter = ValuesOf<typeof deliveryParams>;

/** Address of the filtered deliveries; absent filters match all. */
export const deliveriesHref = (filter: Partial<DeliveryFilter>): string =>
  `/webhooks${deliveryParams.format("", filter)}`;
