import { describe, expect, it } from "vitest";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { changeBody, draftOf, emptyDraft, insertBody, predictedJob, refusedAt } from "./job-form.ts";

const job: Job = {
  id: "adb34513-92dc-54b1-a36a-c579b413d06f",
  images: [{ public_url: "http://127.0.0.1/a.webp" }],
  repairer_site_id: "site-1",
  claim_number: "LRM-1",
  external_id: "estimate:1",
  job_number: "J-1",
  vehicle: { chassis_number: "7A8DK0S1904128461", plate_number: "NKR482", plate_state: null },
  work_provider_id: "longreach",
};

describe("a new job", () => {
  it("names only the fields that are filled in", () => {
    expect(insertBody({ ...emptyDraft, external: "x:1", siteId: "site-1", plate: "ABC1" })).toEqual({
      identity: { external: "x:1" },
      repairer_site_id: "site-1",
      vehicle: { chassis_number: null, plate_number: "ABC1", plate_state: null },
    });
  });
});

describe("changing a job", () => {
  it("updates only what differs, and clears with an explicit null", () => {
    const draft = { ...draftOf(job), claim: "", number: "J-2" };
    expect(changeBody(job, draft, "update", true)).toEqual({
      identity: { id: job.id },
      repairer_site_id: "site-1",
      job_number: "J-2",
      claim_number: null,
      if_: { exists: "update" },
    });
  });

  it("replaces with everything that is to stay", () => {
    expect(changeBody(job, { ...draftOf(job), claim: "" }, "replace", true)).toEqual({
      identity: { id: job.id },
      repairer_site_id: "site-1",
      job_number: "J-1",
      work_provider_id: "longreach",
      vehicle: job.vehicle,
      images: ["http://127.0.0.1/a.webp"],
      if_: { exists: "replace" },
    });
  });

  it("can leave if_ out, to see what the service says then", () => {
    expect(changeBody(job, draftOf(job), "none", false)).toEqual({
      identity: { id: job.id },
      repairer_site_id: "site-1",
    });
  });

  it("foretells what update keeps and replace empties", () => {
    const draft = { ...draftOf(job), claim: "" };
    expect(predictedJob(job, changeBody(job, draft, "update", false))).toEqual({ ...job, claim_number: null });
    expect(predictedJob(job, changeBody(job, draft, "replace", false))).toEqual({
      ...job,
      claim_number: null,
      images: [],
    });
    expect(predictedJob(job, changeBody(job, draftOf(job), "replace", true))).toEqual(job);
  });

  it("empties a vehicle of which nothing is left", () => {
    const draft = { ...draftOf(job), plate: "", chassis: "" };
    expect(changeBody(job, draft, "update", false).vehicle).toBeNull();
    expect(predictedJob(job, changeBody(job, draft, "replace", true)).vehicle).toBeNull();
  });
});

describe("a refusal", () => {
  const at = (code: string, message: string) => refusedAt(new ServiceFailure(422, code, message));

  it("belongs to the field its message names by path", () => {
    expect(at("unprocessable", "/vehicle/plate_number must be string or null").field).toBe("plate");
    expect(at("unprocessable", "/vehicle/chassis_number is required").field).toBe("chassis");
    expect(at("unprocessable", "/identity must have exactly one of id, external").field).toBe("identity");
    expect(at("unprocessable", "/work_provider_contract names A, but /work_provider_id is B").field).toBe("provider");
    expect(at("work_provider_not_found", "The work provider of a job insert does not exist.").field).toBe("provider");
    expect(at("internal_error", "Something unexpected happened").field).toBeNull();
  });

  it("names the job that is in the way", () => {
    const taken = at(
      "unprocessable",
      `/job_number J-1 is taken at site 27dd09b9-f7a0-507e-99fd-e42e88e60a99 by job ${job.id}`,
    );
    expect([taken.field, taken.otherJob]).toEqual(["number", job.id]);
    expect(at("unprocessable", "/job_number must be string").otherJob).toBeNull();
  });
});
