import { type Cause, causes, refuseFor, withNext } from "../contract/causes.ts";
import type { Refusal, RefusalReason } from "../contract/errors.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { integrationsInsert, jobsInsert, partnerOperations } from "../contract/operations/partner.ts";
import type { JobIdentity } from "../contract/resources/job.ts";
import { correctBody } from "./corrected-body.ts";
import { refineCredentials, refineSubscription } from "./credential-causes.ts";
import { refineExisting, refineNewId } from "./existing-causes.ts";
import { refineClient, refineCode, refineSecret } from "./install-causes.ts";
import { listInstallRefusals } from "./integrations.insert.ts";
import { refineJob, refinePart } from "./job-causes.ts";
import { refineMoved, refineProcurement } from "./order-causes.ts";
import type { RefusedCall } from "./refused-call.ts";
import { listInsertRefusals } from "./repairer.jobs.insert.ts";
import { findViolation, MAX_READ_BYTES } from "./validation.ts";
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
  part_of_other_job: refinePart,
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

const refineOne = (why: RefusalReason, call: RefusedCall): RefusalReason =>
  (Object.hasOwn(causes, why.cause) && finders[why.cause as Cause]?.(why, call)) || why;

/** Operations whose checks don't depend on each other, with all refusals of a valid input. */
const independentChecks: Readonly<Record<string, (input: unknown, call: RefusedCall) => readonly Refusal[]>> = {
  [jobsInsert.id]: listInsertRefusals,
  [integrationsInsert.id]: listInstallRefusals,
};

/** Refusals of the job or the order that a call names. */
const listUnknownRecords = (input: unknown, { world, caller, operation }: RefusedCall): readonly Refusal[] => {
  const { stores } = world;
  const pointer = valueAt(input, "/job_identity") === undefined ? "/identity" : "/job_identity";
  const identity = valueAt(input, pointer) as JobIdentity | undefined;
  if (identity === undefined || caller === null) return [];
  const { organization_id } = caller;
  if (pointer === "/job_identity" || operation?.startsWith("repairer.jobs."))
    return stores.jobs.find(identity, organization_id) ? [] : [refuseFor("job_unknown", [pointer])];
  const order = stores.procurements.get(identity.id ?? "");
  const isSide = [order?.buyer_organization_id, order?.supplier_organization_id].includes(organization_id);
  return isSide ? [] : [refuseFor("procurement_unknown", ["/identity/id"])];
};

/** Finds the refusal that the corrected call would get; null if it would be accepted, or can't be known. */
const findNext = (refused: RefusalReason, refined: RefusalReason, call: RefusedCall): RefusalReason | null => {
  const list = independentChecks[call.operation ?? ""] ?? listUnknownRecords;
  if (call.input === undefined || refined.elsewhere || (call.body?.length ?? 0) > MAX_READ_BYTES) return null;
  const isShape = refused.cause === "shape";
  const operation = partnerOperations.find(({ id }) => id === call.operation);
  const input = isShape && operation ? correctBody(operation.request, call.input, refined.meant).body : call.input;
  if (!operation || findViolation(operation.request, input) !== null) return null;
  const refusals = list(input, call);
  const at = isShape ? 0 : refusals.findIndex(({ why }) => why?.cause === refused.cause) + 1;
  const next = isShape || at > 0 ? refusals[at] : undefined;
  return next?.why ? refineOne(next.why, { ...call, input }) : null;
};

/**
 * Finds the detailed cause of a refusal for the record, because keys are masked and the world changes later. The
 * response stays the same.
 */
export const findFinerCause = ({ why }: Pick<Refusal, "why">, call: RefusedCall): RefusalReason | null => {
  const refined = why && refineOne(why, call);
  return refined && withNext(refined, findNext(why, refined, call));
};
