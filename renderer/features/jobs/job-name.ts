import type { JobRow } from "../../../sandbox/contract/control/rows.ts";

/** What a job is called: its number; without a number and a plate its external ID. Null: its plate has to do. */
export const jobName = ({
  job_number: number,
  plate_number: plate,
  external_id: external,
}: Pick<JobRow, "job_number" | "plate_number" | "external_id">): string | null =>
  number || (plate === null ? external : null);
