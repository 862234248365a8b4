import type { TSchema } from "typebox";
import { type Cause, causes, refuseFor, withNext } from "../contract/causes.ts";
import type { Refusal, RefusalReason } from "../contract/errors.ts";
import { findInvalid, isObject } from "../contract/explain.ts";
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
import { takeFindings } from "./renamed-fields.ts";
import { listInsertRefusals } from "./repairer.jobs.insert.ts";
import { MAX_READ_BYTES } from "./validation.ts";
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

/** Refusals of the job or the order that a call names. */
const listUnknownRecords = (
  input: unknown,
  { world, caller, operation }: RefusedCall,
  request: TSchema,
): readonly Refusal[] => {
  const { stores } = world;
  // Any field that isn't declared may have any type.
  const pointer = ["/job_identity", "/identity"].find((at) => valueAt(request, `/properties${at}`) !== undefined);
  const identity = pointer && (valueAt(input, pointer) as JobIdentity | undefined);
  if (!identity || caller === null) return [];
  const { organization_id } = caller;
  if (pointer === "/job_identity" || operation?.startsWith("repairer.jobs."))
    return stores.jobs.find(identity, organization_id) ? [] : [refuseFor("job_unknown", [pointer])];
  const order = stores.procurements.get(identity.id ?? "");
  const isSide = [order?.buyer_organization_id, order?.supplier_organization_id].includes(organization_id);
  return isSide ? [] : [refuseFor("procurement_unknown", ["/identity/id"])];
};

/** Operations whose checks don't depend on each other, with all refusals of a valid input. */
const independentChecks: Readonly<Record<string, typeof listUnknownRecords>> = {
  [jobsInsert.id]: listInsertRefusals,
  [integrationsInsert.id]: listInstallRefusals,
};

const topField = (pointer: string): string => pointer.split("/", 2)[1] ?? "";

/**
 * The fields of a body that have the right shape, with empty texts for required ones that don't; null if the record
 * that it names isn't among them.
 */
const takeValid = (schema: TSchema, body: unknown): { readonly input: unknown; readonly wrong: string[] } | null => {
  const findWrong = (one: unknown): string[] =>
    takeFindings(findInvalid(schema, one)).map(({ path }) => topField(path));
  const wrong = findWrong(body);
  const { required = [] } = schema as { readonly required?: readonly string[] };
  if (!isObject(body) || wrong.some((name) => name === "" || name.endsWith("identity"))) return null;
  const input = {
    ...body,
    ...Object.fromEntries(wrong.map((name) => [name, required.includes(name) ? "" : undefined])),
  };
  // Many findings of one field may hide those of another.
  return findWrong(input).every((name) => wrong.includes(name)) ? { input, wrong } : null;
};

/** Finds the refusal that the corrected call would get; null if it would be accepted, or can't be known. */
const findNext = (refused: RefusalReason, refined: RefusalReason, call: RefusedCall): RefusalReason | null => {
  const list = independentChecks[call.operation ?? ""] ?? listUnknownRecords;
  if (call.input === undefined || refined.elsewhere || (call.body?.length ?? 0) > MAX_READ_BYTES) return null;
  const isShape = refused.cause === "shape";
  const operation = partnerOperations.find(({ id }) => id === call.operation);
  if (!operation) return null;
  const body = isShape ? correctBody(operation.request, call.input, refined.meant).body : call.input;
  const valid = isShape ? takeValid(operation.request, body) : { input: body, wrong: [] };
  if (valid === null) return null;
  const { input, wrong } = valid;
  const refusals = list(input, call, operation.request).filter(
    ({ why }) => !wrong.includes(topField(why?.pointers[0] ?? "")),
  );
  const at = isShape ? 0 : refusals.findIndex(({ why }) => why?.cause === refused.cause) + 1;
  const next = isShape || at > 0 ? refusals[at] : undefined;
  return next?.why ? refineOne(next.why, { ...call, input }) : null;
};

/** A refusal, or a subscription's response, with its cause. */
type Refused = Pick<Refusal, "why"> & { readonly message?: string | undefined };

const findCause = ({ why, message }: Refused, call: RefusedCall): RefusalReason | null => {
  const refined = why && refineOne(why, call);
  const next = refined && findNext(why, refined, call);
  // Only the message names the field of a wrong shape.
  const isTold = refined?.fact !== undefined || refined?.cause !== "shape" || message === undefined;
  return refined && withNext(next && !isTold ? { ...refined, fact: message } : refined, next);
};

/**
 * Finds the detailed cause of a refusal for the record, because keys are masked and the world changes later. The
 * response stays the same, even if finding fails.
 */
export const findFinerCause = (refused: Refused, call: RefusedCall): RefusalReason | null => {
  try {
    return findCause(refused, call);
  } catch (error) {
    if (!call.onError) throw error;
    call.onError(error);
    return refused.why;
  }
};
