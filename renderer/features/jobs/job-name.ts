import type { JobRow } from "../../../sandbox/contract/control/rows.ts";

/** A job's number; without number and plate, its external ID. Null: use the plate. */
export const jobName = ({
  job_number: number,
  plate_number: plate,
  external_id: external,
}: Pick<JobRow, "job_number" | "plate_number" | "external_id">): string | null =>
  number || (plate === null ? external : null);
