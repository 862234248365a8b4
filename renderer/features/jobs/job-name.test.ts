import { expect, it } from "vitest";
import { jobName } from "./job-name.ts";

it("names a job by its number, and without number and plate by its external ID", () => {
  const job = { job_number: "J-1", plate_number: "NKR482", external_id: "estimate:1" };
  expect(jobName(job)).toBe("J-1");
  expect(jobName({ ...job, job_number: null })).toBeNull();
  expect(jobName({ ...job, job_number: null, plate_number: null })).toBe("estimate:1");
  expect(jobName({ job_number: null, plate_number: null, external_id: null })).toBeNull();
});
