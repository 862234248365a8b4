import { type Cause, causes } from "../contract/causes.ts";
import type { Refusal, RefusalReason } from "../contract/errors.ts";
import { refineClient, refineCode, refineCredentials, refineSecret, refineSubscription } from "./credential-causes.ts";
import { refineExisting, refineJob, refineMoved, refineNewId, refineProcurement } from "./record-causes.ts";
import type { RefusedCall } from "./refused-call.ts";
import {
  refineAmount,
  refineInsurer,
  refineNumber,
  refineOffer,
  refineReference,
  refineShape,
} from "./value-causes.ts";

const finders: Partial<Record<Cause, (why: RefusalReason, call: RefusedCall) => RefusalReason>> = {
  no_credentials: refineCredentials,
  no_bearer: refineCredentials,
  credentials: refineCredentials,
  job_unknown: refineJob,
  procurement_unknown: refineProcurement,
  client_unknown: refineClient,
  client_secret_wrong: refineSecret,
  access_code_unusable: refineCode,
  job_exists: refineExisting,
  job_id_not_assigned: refineNewId,
  job_number_taken: refineNumber,
  not_an_amount: refineAmount,
  confirmed_already: refineMoved("supplier.procurements.confirm", "The order is already confirmed: {who} did so"),
  confirm_of_cancelled: refineMoved("procurements.cancel", "The order can’t be confirmed: {who} cancelled it"),
  cancel_of_confirmed: refineMoved("supplier.procurements.confirm", "The order can’t be cancelled: {who} confirmed it"),
  cancelled_already: refineMoved("procurements.cancel", "The order is already cancelled: {who} did so"),
  site_unknown: refineReference("a site"),
  work_provider_unknown: refineInsurer,
  offer_unknown: refineOffer,
  shape: refineShape,
  subscription_fields: refineSubscription,
  url_invalid: refineSubscription,
};

/**
 * Finds the detailed cause of a refusal for the record, because keys are masked and the world changes later. The
 * response stays the same.
 */
export const findFinerCause = ({ why }: Pick<Refusal, "why">, call: RefusedCall): RefusalReason | null => {
  const find = why && Object.hasOwn(causes, why.cause) ? finders[why.cause as Cause] : undefined;
  return why && find ? find(why, call) : why;
};
