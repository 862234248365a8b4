import type { Policies } from "./control/policies.ts";
import type { Job, JobInsert, Vehicle } from "./resources/job.ts";

/** What a job insert can write, in the order of the contract; the other keys of a job stay. */
export const writtenKeys = [
  "repairer_site_id",
  "job_number",
  "claim_number",
  "work_provider_id",
  "vehicle",
  "images",
] as const;
export type WrittenKey = (typeof writtenKeys)[number];

export interface WrittenFields extends Pick<Job, Exclude<WrittenKey, "images" | "vehicle">> {
  readonly vehicle: Vehicle | null;
  /** Addresses. */
  readonly images: readonly string[];
}

/** What `if_` can ask for. */
export type ConflictStrategy = "update" | "replace";

/** What happens to a job that exists: what the body asks for, else what the world's switch says (D30). */
export const strategyFor = (body: JobInsert, policy: Policies["jobs_insert_conflict"]): ConflictStrategy | "reject" =>
  body.if_?.exists ?? policy;

/** The values a body names, undefined for what it leaves out; what else the vehicle names is ignored (D7). */
export const namedFields = (body: JobInsert, provider: string | null | undefined) => ({
  repairer_site_id: body.repairer_site_id.toLowerCase(),
  job_number: body.job_number,
  claim_number: body.claim_number,
  work_provider_id: provider,
  vehicle: body.vehicle && {
    chassis_number: body.vehicle.chassis_number,
    plate_number: body.vehicle.plate_number,
    plate_state: body.vehicle.plate_state,
  },
  images: body.images === null ? [] : body.images,
});

const nothing = { job_number: null, claim_number: null, work_provider_id: null, vehicle: null, images: [] };

/**
 * The fields of a job after an insert. What the body names is written, and an explicit null clears; what it leaves out
 * keeps its value in an update (D32) and is empty in a new job and in a replaced one (D33).
 *
 * @param before the fields of the job an update is made to; null for a new job or a replaced one
 * @param provider the insurer the body names by either of its keys (D36); undefined when it has neither
 */
export const writtenFields = (
  before: WrittenFields | null,
  body: JobInsert,
  provider: string | null | undefined,
): WrittenFields => {
  const names = namedFields(body, provider);
  const kept = before ?? nothing;
  return {
    repairer_site_id: names.repairer_site_id,
    job_number: names.job_number === undefined ? kept.job_number : names.job_number,
    claim_number: names.claim_number === undefined ? kept.claim_number : names.claim_number,
    work_provider_id: names.work_provider_id === undefined ? kept.work_provider_id : names.work_provider_id,
    vehicle: names.vehicle === undefined ? kept.vehicle : names.vehicle,
    images: names.images === undefined ? kept.images : names.images,
  };
};
