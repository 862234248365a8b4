import { describe, expect, it } from "vitest";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { draftOf, emptyDraft } from "../../../domain/job/fields.tsx";
import {
  changedMeanwhile,
  type EditDraft,
  editFrom,
  editIn,
  editOf,
  fieldsIn,
  followed,
  isEdited,
  isFilled,
} from "./job-draft.ts";

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

describe("a change of a job that somebody else changes meanwhile", () => {
  const theirs: Job = { ...job, claim_number: "LRM-9", job_number: "J-9" };
  const typed = (): EditDraft => ({ ...editOf(job), fields: { ...draftOf(job), claim: "LRM-2", plate: "NKR482" } });

  it("follows where the person has typed nothing, and stays where they have", () => {
    const { fields } = followed(typed(), theirs);
    expect(fields).toEqual({ ...draftOf(theirs), claim: "LRM-2", plate: "NKR482" });
  });

  it("follows every change, not only the first", () => {
    const later = followed(followed(typed(), theirs), { ...theirs, job_number: "J-10" });
    expect(later.fields).toMatchObject({ number: "J-10", claim: "LRM-2" });
  });

  it("names the keys that were changed since it was begun, also after a reload", () => {
    const draft = followed(typed(), theirs);
    expect(changedMeanwhile(draft, theirs)).toEqual(["job_number", "claim_number"]);
    const again = editIn(reloaded(draft), theirs);
    expect(again && changedMeanwhile(again, theirs)).toEqual(["job_number", "claim_number"]);
    expect(changedMeanwhile(editOf(job), job)).toEqual([]);
  });

  it("is not work of the person's by itself", () => {
    expect(isEdited(followed(editOf(job), theirs))).toBe(false);
  });
});

describe("a new job whose identity is taken", () => {
  it("becomes a change of the job that has it: what was left empty stays as it is there", () => {
    const edit = editFrom({ ...emptyDraft, external: "estimate:1", number: "J-2", plate: "AAA111" }, job);
    expect(edit.fields).toEqual({ ...draftOf(job), number: "J-2", plate: "AAA111" });
    expect(edit.ifExists).toBe("update");
    expect(changedMeanwhile(edit, job)).toEqual([]);
  });

  it("takes the site only when one was chosen", () => {
    expect(editFrom({ ...emptyDraft, siteId: "site-2" }, job).fields.siteId).toBe("site-2");
    expect(editFrom(emptyDraft, job).fields.siteId).toBe("site-1");
  });
});
