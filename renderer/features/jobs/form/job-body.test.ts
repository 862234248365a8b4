import { describe, expect, it } from "vitest";
import type { ConflictStrategy } from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { emptyDraft, type JobDraft, jobValueText } from "../fields.tsx";
import { changeBody, changeOutcomes, insertBody, outcomeText } from "./job-body.ts";
import { type EditDraft, noEdit } from "./job-draft.ts";

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
const afterwards = (draft: EditDraft, strategy: ConflictStrategy) =>
  Object.fromEntries(changeOutcomes(job, changeBody(job, draft), strategy).map(({ key, after }) => [key, after]));
const edit = (edits: Partial<JobDraft>, rest: Partial<EditDraft> = {}): EditDraft => ({ ...noEdit, ...rest, edits });

describe("a new job", () => {
  it("contains only the fields that are filled in", () => {
    expect(insertBody({ ...emptyDraft, external: "x:1", siteId: "site-1", plate: "ABC1" })).toEqual({
      identity: { external: "x:1" },
      repairer_site_id: "site-1",
      vehicle: { chassis_number: null, plate_number: "ABC1", plate_state: null },
    });
  });

  it("contains its pictures by address", () => {
    expect(insertBody({ ...emptyDraft, images: "http://127.0.0.1/b.webp\nhttp://127.0.0.1/c.webp\n" }).images).toEqual([
      "http://127.0.0.1/b.webp",
      "http://127.0.0.1/c.webp",
    ]);
  });
});

describe("changing a job", () => {
  it("updates only what differs, and clears with an explicit null", () => {
    expect(changeBody(job, edit({ claim: "", number: "J-2" }))).toEqual({
      identity: { id: job.id },
      repairer_site_id: "site-1",
      job_number: "J-2",
      claim_number: null,
      if_: { exists: "update" },
    });
  });

  it("removes the last picture with an empty list", () => {
    expect(changeBody(job, edit({ images: "" })).images).toEqual([]);
  });

  it("replaces with all remaining values", () => {
    expect(changeBody(job, edit({ claim: "" }, { ifExists: "replace" }))).toEqual({
      identity: { id: job.id },
      repairer_site_id: "site-1",
      job_number: "J-1",
      work_provider_id: "longreach",
      vehicle: job.vehicle,
      images: ["http://127.0.0.1/a.webp"],
      if_: { exists: "replace" },
    });
  });

  it("can omit if_ to try the service's refusal", () => {
    expect(changeBody(job, edit({}, { ifExists: "none" }))).toEqual({
      identity: { id: job.id },
      repairer_site_id: "site-1",
    });
  });

  it("leaves out fields that only another caller changed", () => {
    const theirs: Job = { ...job, claim_number: "LRM-9", job_number: "J-9" };
    expect(changeBody(theirs, edit({ number: "J-2" }))).toEqual({
      identity: { id: job.id },
      repairer_site_id: "site-1",
      job_number: "J-2",
      if_: { exists: "update" },
    });
  });

  it("clears a vehicle without any value", () => {
    const fields = { plate: "", chassis: "" };
    expect(changeBody(job, edit(fields)).vehicle).toBeNull();
    expect(afterwards(edit(fields, { ifExists: "replace" }), "replace").vehicle).toBeNull();
  });

  it("changes nothing without edits, by update or replace", () => {
    for (const ifExists of ["update", "replace"] as const)
      expect(afterwards(edit({}, { ifExists }), ifExists)).toMatchObject({
        claim_number: "LRM-1",
        job_number: "J-1",
        vehicle: job.vehicle,
        work_provider_id: "longreach",
        images: ["http://127.0.0.1/a.webp"],
      });
  });
});

const sparse: Job = {
  ...job,
  job_number: null,
  vehicle: { chassis_number: null, plate_number: "NKR482", plate_state: "VIC" },
};
const names = new Map([["longreach", "Longreach Mutual"]]);

describe("a key's value in words", () => {
  it("names identifiers, and describes null and empty values", () => {
    expect(jobValueText(sparse.work_provider_id, names)).toBe("Longreach Mutual");
    expect(jobValueText(sparse.repairer_site_id, names)).toBe("site-1");
    expect(jobValueText(sparse.vehicle, names)).toBe("VIC, NKR482");
    expect(jobValueText(sparse.images, names)).toBe("1 picture");
    expect(jobValueText(null, names)).toBe("null");
    expect(jobValueText("", names)).toBe("empty text");
    expect(jobValueText([], names)).toBe("none");
    expect(jobValueText({ chassis_number: null, plate_number: null, plate_state: null }, names)).toBe("all null");
  });
});

describe("the effect on a key", () => {
  const body: JobInsert = {
    identity: { id: sparse.id },
    repairer_site_id: "site-1",
    claim_number: "LRM-2",
    images: [],
  };
  const words = (strategy: ConflictStrategy) =>
    Object.fromEntries(
      changeOutcomes(sparse, body, strategy).map((outcome) => [outcome.key, outcomeText(outcome).word]),
    );

  it("differs between update and replace", () => {
    const named = { repairer_site_id: "written, unchanged", claim_number: "written", images: "cleared" };
    expect(words("update")).toEqual({ ...named, job_number: "kept", work_provider_id: "kept", vehicle: "kept" });
    expect(words("replace")).toEqual({ ...named, job_number: "kept", work_provider_id: "emptied", vehicle: "emptied" });
  });

  it("is a loss only if the body omits a key that had a value", () => {
    const lost = changeOutcomes(sparse, body, "replace").filter((outcome) => outcomeText(outcome).loses);
    expect(lost.map(({ key }) => key)).toEqual(["work_provider_id", "vehicle"]);
  });
});
