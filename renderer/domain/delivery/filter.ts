import { attemptCauses } from "../../../sandbox/contract/control/words.ts";
import { choice, id, moment, searchParams, textThat, type ValuesOf } from "../../lib/search-params.ts";

/** Which deliveries are in sight: of a status, to one subscription, or with attempts that failed for a cause. */
export const deliveryParams = searchParams({
  status: choice(["pending", "failed"]),
  subscription: id,
  who: id,
  attempt: choice(attemptCauses),
  /** What such attempts were answered; and from when on. */
  answered: textThat((text) => /^[1-5]\d\d$/.test(text)),
  from: moment,
});
export type DeliveryFilter = ValuesOf<typeof deliveryParams>;

/** The deliveries, narrowed to some; what is left out leaves all of them. */
export const deliveriesHref = (filter: Partial<DeliveryFilter>): string =>
  `/webhooks${deliveryParams.format("", filter)}`;
