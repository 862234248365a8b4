import type { Policies } from "../contract/control/policies.ts";
import type { JobInsert, Vehicle } from "../contract/resources/job.ts";
import type { JobRecord } from "./records.ts";

export type ConflictStrategy = "update" | "replace" | "reject";

/** What to do when the job exists: what the caller asked for, else what the world's policy says (D30). */
export const conflictStrategy = (input: JobInsert, policy: Policies["jobs_insert_conflict"]): ConflictStrategy =>
  input.if_?.exists ?? policy;

/** The job's own fields a caller can write; the work provider is resolved beforehand (D36). */
export interface JobFields {
  readonly claim_number: string | null;
  readonly images: readonly string[];
  readonly job_number: string | null;
  readonly vehicle: Vehicle | null;
  readonly work_provider_id: string | null;
}

const empty: JobFields = { claim_number: null, images: [], job_number: null, vehicle: null, work_provider_id: null };

/**
 * The fields after an insert (over nothing), an update (over the job: keys present are written, an explicit null
 * clears, absent ones stay; D32) or a replace (over nothing; D33).
 *
 * @param provider undefined when neither provider key is present
 */
const writtenOver = (base: JobFields, input: JobInsert, provider: string | null | undefined): JobFields => ({
  claim_number: input.claim_number === undefined ? base.claim_number : input.claim_number,
  images: input.images === undefined ? base.images : (input.images ?? []),
  job_number: input.job_number === undefined ? base.job_number : input.job_number,
  vehicle: input.vehicle === undefined ? base.vehicle : input.vehicle && vehicleOf(input.vehicle),
  work_provider_id: provider === undefined ? base.work_provider_id : provider,
});

const vehicleOf = ({ chassis_number, plate_number, plate_state }: Vehicle): Vehicle => ({
  chassis_number,
  plate_number,
  plate_state,
});

/** What the platform's name of the vehicle becomes: known only as long as the vehicle stays the same. */
const variantAfter = (job: JobRecord, vehicle: Vehicle | null): string | null =>
  vehicle &&
  job.vehicle?.chassis_number === vehicle.chassis_number &&
  job.vehicle?.plate_number === vehicle.plate_number
    ? job.vehicle_variant
    : null;

/** A new job. */
export const insertedJob = (
  input: JobInsert,
  made: {
    readonly id: string;
    readonly organization_id: string;
    readonly provider: string | null | undefined;
    readonly now: number;
  },
): JobRecord => ({
  id: made.id,
  organization_id: made.organization_id,
  repairer_site_id: input.repairer_site_id.toLowerCase(),
  external_id: input.identity.external ?? null,
  ...writtenOver(empty, input, made.provider),
  vehicle_variant: null,
  created_at: made.now,
  updated_at: made.now,
});

/** The job after an update or a replace; its id, external id and parts stay. */
export const changedJob = (
  job: JobRecord,
  input: JobInsert,
  strategy: "update" | "replace",
  made: { readonly provider: string | null | undefined; readonly now: number },
): JobRecord => {
  const fields = writtenOver(strategy === "update" ? job : empty, input, made.provider);
  return {
    ...job,
    ...fields,
    repairer_site_id: input.repairer_site_id.toLowerCase(),
    vehicle_variant: variantAfter(job, fields.vehicle),
    updated_at: made.now,
  };
};
