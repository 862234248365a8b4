import { describe, expect, it } from "vitest";
import { type ConflictStrategy, changeOutcomes } from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { outcomeWords, valueWords } from "./value-words.ts";

const job: Job = {
  id: "adb34513-92dc-54b1-a36a-c579b413d06f",
  images: [{ public_url: "https://pictures.test/a.png" }],
  repairer_site_id: "site-1",
  claim_number: "LRM-1",
  external_id: "estimate:1",
  job_number: null,
  vehicle: { chassis_number: null, plate_number: "NKR482", plate_state: "VIC" },
  work_provider_id: "longreach",
};
const names = new Map([["longreach", "Longreach Mutual"]]);

describe("a key's value in words", () => {
  it("is a name where it is an identifier, and says what is null, empty or none", () => {
    expect(valueWords(job.work_provider_id, names)).toBe("Longreach Mutual");
    expect(valueWords(job.repairer_site_id, names)).toBe("site-1");
    expect(valueWords(job.vehicle, names)).toBe("VIC, NKR482");
    expect(valueWords(job.images, names)).toBe("1 picture");
    expect(valueWords(null, names)).toBe("null");
    expect(valueWords("", names)).toBe("empty text");
    expect(valueWords([], names)).toBe("none");
    expect(valueWords({ chassis_number: null, plate_number: null, plate_state: null }, names)).toBe("all null");
  });
});

describe("what becomes of a key", () => {
  const body: JobInsert = {
    identity: { id: job.id },
    repairer_site_id: "site-1",
    claim_number: "LRM-2",
    images: [],
  };
  const words = (strategy: ConflictStrategy) =>
    Object.fromEntries(changeOutcomes(job, body, strategy).map((outcome) => [outcome.key, outcomeWords(outcome).word]));

  it("is told apart under update and under replace", () => {
    const named = { repairer_site_id: "written, the same", claim_number: "written", images: "cleared" };
    expect(words("update")).toEqual({ ...named, job_number: "kept", work_provider_id: "kept", vehicle: "kept" });
    expect(words("replace")).toEqual({ ...named, job_number: "kept", work_provider_id: "emptied", vehicle: "emptied" });
  });

  it("is a loss only where the body does not name it and something was there", () => {
    const lost = changeOutcomes(job, body, "replace").filter((outcome) => outcomeWords(outcome).loses);
    expect(lost.map(({ key }) => key)).toEqual(["work_provider_id", "vehicle"]);
  });
});
