import { type WrittenKey, writtenKeys } from "../../../../sandbox/contract/job-change.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { draftOf, emptyDraft, fieldNames, type JobDraft, type OptionalKey } from "../../../domain/job/fields.tsx";
import type { DraftName } from "../../../lib/draft.ts";

/** Unsent jobs outlive their window: one new one in a world, and one change of each job. */
export const newDraft = (world: string): DraftName => ({ name: `new-job.${world}`, outlives: "window" });
export const editDraft = (world: string, jobId: string): DraftName => ({
  name: `edit-job.${world}.${jobId}`,
  outlives: "window",
});

export const optionalKeys: readonly OptionalKey[] = writtenKeys.filter((key) => key !== "repairer_site_id");

/** `none` leaves `if_` out: what then happens is the world's switch (D30). */
export type IfExists = "update" | "replace" | "none";

/** Keys the person said are sent, or are not, against what the form would do. */
export type KeyChoices = Readonly<Partial<Record<OptionalKey, boolean>>>;

/** A change of a job that was begun: what the job was then and is now, and what it is to be. */
export interface EditDraft {
  /** As the job was when the form was opened. */
  readonly first: Job;
  /** As the job was when the fields last followed it: what differs from it is the person's. */
  readonly began: Job;
  readonly fields: JobDraft;
  readonly ifExists: IfExists;
  readonly keys: KeyChoices;
}

export const editOf = (job: Job): EditDraft => ({
  first: job,
  began: job,
  fields: draftOf(job),
  ifExists: "update",
  keys: {},
});

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The draft beside the job as it is now: what the person has not touched is as it is there, what they typed stays. */
export const followed = (draft: EditDraft, job: Job): EditDraft => {
  if (same(draft.began, job)) return draft;
  const [was, is] = [draftOf(draft.began), draftOf(job)];
  const untouched = fieldNames.filter((name) => same(draft.fields[name], was[name]));
  const fields = { ...draft.fields, ...Object.fromEntries(untouched.map((name) => [name, is[name]])) };
  return { ...draft, began: job, fields };
};

/** The keys somebody else has written since the form was opened. */
export const changedMeanwhile = ({ first }: EditDraft, job: Job): readonly WrittenKey[] =>
  writtenKeys.filter((key) => !same(first[key], job[key]));

/** A change of this job to what was typed for a new one: what was left empty there stays. */
export const editFrom = (typed: JobDraft, job: Job): EditDraft => {
  const edit = editOf(job);
  const { external: _external, images, ...texts } = typed;
  const filled = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ""));
  const fields = { ...edit.fields, ...filled, ...(images.length > 0 ? { images } : {}) };
  return { ...edit, fields };
};

/** Whether anything would be lost with it. */
export const isEdited = ({ began, fields, ifExists, keys }: EditDraft): boolean =>
  !same(fields, draftOf(began)) || ifExists !== "update" || Object.keys(keys).length > 0;

/** An identifier the form made up itself is no work of the person's. */
const MADE_UP = /^explorer:[0-9a-f]{8}$/;

/** Whether anything was filled in that the form did not fill in by itself. */
export const isFilled = ({ external, siteId: _site, ...fields }: JobDraft): boolean =>
  !MADE_UP.test(external) || !same(fields, { ...emptyDraft, external: undefined, siteId: undefined });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A draft as it was written down, as far as it still fits: known fields of the right kind. */
export const fieldsIn = (stored: unknown, initial: JobDraft): JobDraft => {
  if (!isRecord(stored)) return initial;
  const fits = Object.entries(initial).filter(([name]) => {
    const value = stored[name];
    if (name === "images") return Array.isArray(value) && value.every((url) => typeof url === "string");
    return typeof value === "string";
  });
  return { ...initial, ...Object.fromEntries(fits.map(([name]) => [name, stored[name]])) };
};

const isIfExists = (value: unknown): value is IfExists => ["update", "replace", "none"].some((one) => one === value);

const keysIn = (stored: unknown): KeyChoices =>
  isRecord(stored) ? Object.fromEntries(Object.entries(stored).filter(([, sent]) => typeof sent === "boolean")) : {};

/** A change that was written down; null when it is none, or of another job. */
export const editIn = (stored: unknown, job: Job): EditDraft | null => {
  if (!isRecord(stored) || !isRecord(stored.began) || stored.began.id !== job.id) return null;
  // They were written down by this form from what the contract answered.
  const began = { ...job, ...stored.began };
  const first = isRecord(stored.first) ? { ...job, ...stored.first } : began;
  if (!Array.isArray(began.images)) return null;
  return {
    first,
    began,
    fields: fieldsIn(stored.fields, draftOf(began)),
    ifExists: isIfExists(stored.ifExists) ? stored.ifExists : "update",
    keys: keysIn(stored.keys),
  };
};
