import { refuseFor } from "../contract/causes.ts";
import type { Refusal } from "../contract/errors.ts";
import { type ConflictStrategy, strategyFor, writtenFields } from "../contract/job-change.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import type { Job, JobInsert, Vehicle } from "../contract/resources/job.ts";
import type { JobRecord } from "../rules/records.ts";
import type { DirectoryStore } from "../storage/directory-store.ts";
import { type CallerContext, handler } from "./handler.ts";
import { possessive, type RefusedCall } from "./refused-call.ts";
import { applyClaimChange, noteMisplaced, readTestValue } from "./test-values.ts";
import { aboutJob, jobLabel, jobView } from "./views.ts";

type Provider = { readonly id: string | null | undefined };

/** D36: both keys may name the provider, but must agree. Undefined if neither is present. */
const resolveProvider = (input: JobInsert, directory: DirectoryStore): Provider | Refusal => {
  const { work_provider_id: id, work_provider_contract: contract } = input;
  const insurers = directory.insurers();
  const byId = typeof id === "string" ? insurers.find((one) => one.organization_id === id.toLowerCase()) : undefined;
  if (typeof id === "string" && !byId) return refuseFor("work_provider_unknown", ["/work_provider_id"]);
  const wanted = typeof contract === "string" ? contract.toLowerCase() : undefined;
  const byName = wanted === undefined ? undefined : insurers.find((one) => one.name.toLowerCase() === wanted);
  if (wanted !== undefined && !byName) return refuseFor("work_provider_unknown", ["/work_provider_contract"]);
  if (byId && byName && byId.organization_id !== byName.organization_id) {
    return refuseFor(
      "work_providers_differ",
      ["/work_provider_contract", "/work_provider_id"],
      `/work_provider_contract names ${byName.name}, but /work_provider_id is ${byId.name}`,
    );
  }
  const found = byId ?? byName;
  if (found) return { id: found.organization_id };
  return { id: id === undefined && contract === undefined ? undefined : null };
};

/** @param isOwn whether the number is the job's stored one: the call doesn't name it, only a new site */
const refuseTakenNumber = (
  job: JobRecord,
  { stores }: Pick<CallerContext, "stores">,
  isOwn: boolean,
): Refusal | null => {
  if (job.job_number === null) return null;
  const other = stores.jobs.byNumber(job.repairer_site_id, job.job_number);
  if (!other || other.id === job.id) return null;
  if (isOwn)
    return refuseFor(
      "own_number_taken",
      ["/repairer_site_id"],
      `/job_number ${JSON.stringify(job.job_number)} is taken at site ${job.repairer_site_id} by job ${other.id}`,
      { fact: `The job’s own number ${job.job_number} is already used at the new site.` },
    );
  return refuseFor(
    "job_number_taken",
    ["/job_number"],
    `/job_number ${JSON.stringify(job.job_number)} is taken at site ${job.repairer_site_id} by job ${other.id}`,
  );
};

/** The vehicle name stays valid only while the vehicle is the same. */
const keepVariant = (job: JobRecord, vehicle: Vehicle | null): string | null =>
  vehicle &&
  job.vehicle?.chassis_number === vehicle.chassis_number &&
  job.vehicle?.plate_number === vehicle.plate_number
    ? job.vehicle_variant
    : null;

export const createJob = (
  input: JobInsert,
  context: {
    readonly id: string;
    readonly organization_id: string;
    readonly provider: string | null | undefined;
    readonly now: number;
  },
): JobRecord => ({
  id: context.id,
  organization_id: context.organization_id,
  external_id: input.identity.external ?? null,
  ...writtenFields(null, input, context.provider),
  vehicle_variant: null,
  created_at: context.now,
  updated_at: context.now,
});

/** The job after an update or a replace. ID, external ID and parts are kept. */
export const changeJob = (
  job: JobRecord,
  input: JobInsert,
  strategy: ConflictStrategy,
  context: { readonly provider: string | null | undefined; readonly now: number },
): JobRecord => {
  const fields = writtenFields(strategy === "update" ? job : null, input, context.provider);
  return { ...job, ...fields, vehicle_variant: keepVariant(job, fields.vehicle), updated_at: context.now };
};

/** @returns the job for the response */
const announce = (context: CallerContext, before: JobRecord | null, after: JobRecord): Job => {
  const action = before ? "updated" : "inserted";
  const { baseUrl } = context;
  const view = jobView(after, baseUrl);
  context.changed({
    entity: "job",
    id: after.id,
    label: jobLabel(after),
    change: action,
    job_id: after.id,
    before: before && jobView(before, baseUrl),
    after: view,
  });
  applyClaimChange(context, before, after);
  context.emit(
    {
      event_type: "repairer.jobs",
      organization_id: after.organization_id,
      payload: { job_id: after.id, change_action: action },
      job_id: after.id,
      procurement_id: null,
      label: jobLabel(after),
      announces: action,
    },
    readTestValue(context, after, "webhook"),
  );
  context.about({ ...aboutJob(after), outcome: action });
  return view;
};

/**
 * Fast path: a job with an external ID is nearly always new, so it's inserted without lookups.
 *
 * @returns undefined, without a write, on a conflict or if only a lookup can tell
 */
const tryInsert = (context: CallerContext, input: JobInsert): Job | undefined => {
  const { stores, caller, now } = context;
  if (input.identity.id !== undefined || input.if_) return undefined;
  const provider = resolveProvider(input, stores.directory);
  if (!("id" in provider)) return undefined;
  const { organization_id } = caller;
  const job = createJob(input, { id: context.newId(), organization_id, provider: provider.id, now });
  if (!stores.jobs.insertIfFree(job)) return undefined;
  return announce(context, null, job);
};

const refuseSite = (
  input: JobInsert,
  { stores: { directory }, caller }: Pick<CallerContext, "stores" | "caller">,
): Refusal | null => {
  const site = input.repairer_site_id.toLowerCase();
  if (directory.site(site, caller.organization_id)) return null;
  const owner = directory.siteOwner(site);
  return refuseFor(
    "site_unknown",
    ["/repairer_site_id"],
    `/repairer_site_id ${input.repairer_site_id} is not a repairer_site of your organization`,
    { fact: owner && `The site is ${possessive(owner)}, not the caller’s.` },
  );
};

/** Refuses the identity of a job that exists without a strategy, or an ID that the service didn't assign. */
const refuseIdentity = (
  { identity }: JobInsert,
  { stores, policies }: Pick<CallerContext, "stores" | "policies">,
  existing: JobRecord | undefined,
  strategy: ConflictStrategy | "reject",
): Refusal | null => {
  if (existing)
    return strategy === "reject"
      ? refuseFor(
          "job_exists",
          ["/identity"],
          `/identity names job ${existing.id}, which exists already; send if_: {exists: "update"} or {exists: "replace"}`,
        )
      : null;
  const id = identity.id?.toLowerCase();
  if (id === undefined) return null;
  return stores.jobs.get(id) !== undefined || policies.jobs_insert_unknown_id === "reject"
    ? refuseFor(
        "job_id_not_assigned",
        ["/identity/id"],
        `/identity/id ${id} is unknown; identifiers are assigned by the service, so insert with {external: …}`,
      )
    : null;
};

/** The job that a call would write, and all refusals of the call in the order of the checks. */
const evaluate = (
  input: JobInsert,
  context: Pick<CallerContext, "stores" | "caller" | "policies"> & { readonly now: number; newId(): string },
): { readonly existing: JobRecord | undefined; readonly job: JobRecord; readonly refusals: readonly Refusal[] } => {
  const { stores, caller, now } = context;
  const existing = stores.jobs.find(input.identity, caller.organization_id);
  const strategy = strategyFor(input, context.policies.jobs_insert_conflict);
  const provider = resolveProvider(input, stores.directory);
  const written = { provider: "id" in provider ? provider.id : undefined, now };
  const job = existing
    ? changeJob(existing, input, strategy === "replace" ? "replace" : "update", written)
    : createJob(input, {
        id: input.identity.id?.toLowerCase() ?? context.newId(),
        organization_id: caller.organization_id,
        ...written,
      });
  const refusals = [
    refuseSite(input, context),
    refuseIdentity(input, context, existing, strategy),
    "id" in provider ? null : provider,
    refuseTakenNumber(job, context, existing !== undefined && input.job_number === undefined),
  ].filter((one) => one !== null);
  return { existing, job, refusals };
};

/** All refusals of an insert, from reads alone. */
export const listInsertRefusals = (input: unknown, { world, caller }: RefusedCall): readonly Refusal[] =>
  caller === null
    ? []
    : evaluate(input as JobInsert, { stores: world.stores, policies: world.policies, caller, now: 0, newId: () => "" })
        .refusals;

/** Contract, "repairer.jobs.insert", with D30 to D37. */
export const insertJob = handler(jobsInsert, (context, input) => {
  noteMisplaced(context, [
    ["identity", input.identity.external],
    ["job_number", input.job_number],
    ["vehicle", input.vehicle?.plate_number],
    ["vehicle", input.vehicle?.chassis_number],
    ["work_provider_contract", input.work_provider_contract],
  ]);
  const inserted = refuseSite(input, context) ?? tryInsert(context, input);
  if (inserted) return inserted;

  const { existing, job, refusals } = evaluate(input, context);
  const [refused] = refusals;
  if (refused) return refused;
  const { stores } = context;
  if (existing) stores.jobs.update(job);
  else stores.jobs.insert(job);
  return announce(context, existing ?? null, job);
});
