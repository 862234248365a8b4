import { expect, it } from "vitest";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { changeOutcomes } from "./job-body.ts";

const job: Job = {
  id: "11111111-1111-4111-8111-111111111111",
  images: [{ public_url: "https://pictures.test/a.png" }],
  repairer_site_id: "22222222-2222-4222-8222-222222222222",
  claim_number: "CLM-1",
  external_id: "estimate:1",
  job_number: "J-1",
  vehicle: { chassis_number: null, plate_number: "NKR482", plate_state: null },
  work_provider_id: "33333333-3333-4333-8333-333333333333",
};

it("D32, D33: the effect of a change is known key by key: written, cleared, kept or emptied", () => {
  const site = "4AAAAAAA-4444-4444-8444-444444444444";
  const body: JobInsert = { identity: { id: job.id }, repairer_site_id: site, claim_number: null, images: [] };
  const outcomes = (strategy: "update" | "replace") =>
    changeOutcomes(job, body, strategy).map(({ key, effect, after }) => [key, effect, after]);
  const [number, provider, vehicle] = [job.job_number, job.work_provider_id, job.vehicle];
  expect(outcomes("update")).toEqual([
    ["repairer_site_id", "written", site.toLowerCase()],
    ["job_number", "kept", number],
    ["claim_number", "cleared", null],
    ["work_provider_id", "kept", provider],
    ["vehicle", "kept", vehicle],
    ["images", "cleared", []],
  ]);
  expect(outcomes("replace")).toEqual([
    ["repairer_site_id", "written", site.toLowerCase()],
    ["job_number", "emptied", null],
    ["claim_number", "cleared", null],
    ["work_provider_id", "emptied", null],
    ["vehicle", "emptied", null],
    ["images", "cleared", []],
  ]);
});
