import { type ConflictStrategy, writtenFields } from "../contract/job-change.ts";
import type { JobInsert, Vehicle } from "../contract/resources/job.ts";
import type { JobRecord } from "../rules/records.ts";

/** The vehicle name stays valid only while the vehicle is the same. */
const keepVariant = (job: JobRecord, vehicle: Vehicle | null): string | null =>
  vehicle &&
  job.vehicle?.chassis_number === vehicle.chassis_number &&
  job.vehicle?.plate_number === vehicle.plate_number
    ? job.vehicle_variant
    : null;

export const createJob = (
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
  external_id: input.identity.external ?? null,
  ...writtenFields(null, input, made.provider),
  vehicle_variant: null,
  created_at: made.now,
  updated_at: made.now,
});

/** The job after an update or a replace. ID, external ID and parts are kept. */
export const changeJob = (
  job: JobRecord,
  input: JobInsert,
  strategy: ConflictStrategy,
  made: { readonly provider: string | null | undefined; readonly now: number },
): JobRecord => {
  const fields = writtenFields(strategy === "update" ? job : null, input, made.provider);
  return { ...job, ...fields, vehicle_variant: keepVariant(job, fields.vehicle), updated_at: made.now };
};
