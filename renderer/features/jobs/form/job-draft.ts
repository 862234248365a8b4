import type { DraftName } from "../../../lib/draft.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { fieldNames, type JobDraft } from "../fields.tsx";

/** Unsent jobs outlive their window: one new one in a world, and one change of each job. */
export const newDraft = (world: string): DraftName => ({ name: `new-job.${world}`, outlives: "window" });
export const editDraft = (world: string, jobId: string): DraftName => ({
  name: `edit-job.${world}.${jobId}`,
  outlives: "window",
});

/** What a person typed into some of a job's fields; the others are as they are anyway. */
export type Edits = Partial<JobDraft>;

/** `none` leaves `if_` out: what then happens is the world's switch (D30). */
export type IfExists = "update" | "replace" | "none";

/** A change of a job that was begun. */
export interface EditDraft {
  readonly edits: Edits;
  readonly ifExists: IfExists;
}

export const noEdit: EditDraft = { edits: {}, ifExists: "update" };

/** Edits that were written down, as far as they still name fields. */
export const editsIn = (stored: unknown): Edits =>
  Object.fromEntries(
    fieldNames.flatMap((name) => {
      const text = fieldIn(stored, name);
      return typeof text === "string" ? [[name, text]] : [];
    }),
  );

const isIfExists = (value: unknown): value is IfExists => ["update", "replace", "none"].some((one) => one === value);

export const editIn = (stored: unknown): EditDraft => {
  const ifExists = fieldIn(stored, "ifExists");
  return { edits: editsIn(fieldIn(stored, "edits")), ifExists: isIfExists(ifExists) ? ifExists : "update" };
};

export const isTyped = (edits: Edits): boolean => Object.keys(edits).length > 0;
