import type { Policies } from "./control/policies.ts";
import type { Job, JobInsert, Vehicle } from "./resources/job.ts";

/** The fields that a job insert can write, in the contract's order. */
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
  /** Picture URLs. */
  readonly images: readonly string[];
}

/** Values of `if_`. */
export type ConflictStrategy = "update" | "replace";

/** Returns how to handle an existing job: by the body, else by the world's setting (D30). */
export const strategyFor = (body: JobInsert, policy: Policies["jobs_insert_conflict"]): ConflictStrategy | "reject" =>
  body.if_?.exists ?? policy;

/** The fields that the body contains; undefined for missing ones. Unknown members of the vehicle are ignored (D7). */
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
 * Returns the fields of a job after an insert. A field in the body is written, and an explicit null clears it. A
 * missing field keeps its value in an update (D32) and is empty in a new or replaced job (D33).
 *
 * @param before the fields before an update; null for a new or replaced job
 * @param provider the insurer from either of its keys (D36); undefined when the body has neither
 */
export const writtenFields = (
  before: WrittenFields | null,
  body: JobInsert,
  provider: string | null | undefined,
): WrittenFields => {
  const names = namedFields(body, provider);
  const unchanged = before ?? nothing;
  return {
    repairer_site_id: names.repairer_site_id,
    job_number: names.job_number === undefined ? unchanged.job_number : names.job_number,
    claim_number: names.claim_number === undefined ? unchanged.claim_number : names.claim_number,
    work_provider_id: names.work_provider_id === undefined ? unchanged.work_provider_id : names.work_provider_id,
    vehicle: names.vehicle === undefined ? unchanged.vehicle : names.vehicle,
    images: names.images === undefined ? unchanged.images : names.images,
  };
};
