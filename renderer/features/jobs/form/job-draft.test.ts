import { describe, expect, it } from "vitest";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { draftOf, editIn, editOf, emptyDraft, fieldsIn, isEdited, isFilled } from "./job-draft.ts";

const job: Job = {
  id: "adb34513-92dc-54b1-a36a-c579b413d06f",
  images: [],
  repairer_site_id: "site-1",
  claim_number: "LRM-1",
  external_id: null,
  job_number: "J-1",
  vehicle: null,
  work_provider_id: null,
};
/** What a reload makes of it. */
const reloaded = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a change that was begun", () => {
  it("comes back the same after a reload", () => {
    const draft = {
      ...editOf(job),
      fields: { ...draftOf(job), claim: "LRM-2", images: ["https://pictures.test/a.png"] },
      ifExists: "replace",
      keys: { images: false },
    } as const;
    expect(editIn(reloaded(draft), { ...job, claim_number: "changed meanwhile" })).toEqual(draft);
  });

  it("is not taken for another job's, nor is anything else", () => {
    expect(editIn(reloaded(editOf({ ...job, id: "another" })), job)).toBeNull();
    for (const stored of [null, 1, "x", [], {}, { began: null }, { began: { id: job.id, images: 1 } }])
      expect(editIn(stored, job)).toBeNull();
  });

  it("is worth keeping as soon as something differs", () => {
    const draft = editOf(job);
    expect(isEdited(draft)).toBe(false);
    expect(isEdited({ ...draft, fields: { ...draft.fields, claim: "" } })).toBe(true);
    expect(isEdited({ ...draft, ifExists: "none" })).toBe(true);
    expect(isEdited({ ...draft, keys: { images: true } })).toBe(true);
  });
});

describe("a new job that was begun", () => {
  it("keeps what fits, and forgets what is of another kind", () => {
    const stored = { number: "J-2", plate: 1, providerId: null, images: ["a", 1], extra: "x" };
    expect(fieldsIn(stored, { ...emptyDraft, external: "x:1" })).toEqual({
      ...emptyDraft,
      external: "x:1",
      number: "J-2",
    });
  });

  it("is work of the person's only when more than the made up identifier is there", () => {
    const begun = { ...emptyDraft, external: "explorer:0a1b2c3d", siteId: "site-1" };
    expect(isFilled(begun)).toBe(false);
    expect(isFilled({ ...begun, external: "estimate:1" })).toBe(true);
    expect(isFilled({ ...begun, images: ["https://pictures.test/a.png"] })).toBe(true);
    expect(isFilled({ ...begun, plate: "A" })).toBe(true);
  });
});
