import type { DraftName } from "../../../lib/draft.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { fieldNames, type JobDraft } from "../fields.tsx";

/** Drafts that outlive their window: one new job per world, and one change per job. */
export const newDraft = (world: string): DraftName => ({ name: `new-job.${world}`, outlives: "window" });
export const editDraft = (world: string, jobId: string): DraftName => ({
  name: `edit-job.${world}.${jobId}`,
  outlives: "window",
});

/** Typed fields; the others keep their current values. */
export type Edits = Partial<JobDraft>;

/** `none` omits `if_`, so that the world's setting applies (D30). */
export type IfExists = "update" | "replace" | "none";

/** A started change of a job. */
export interface EditDraft {
  readonly edits: Edits;
  readonly ifExists: IfExists;
}

export const noEdit: EditDraft = { edits: {}, ifExists: "update" };

/** Parses stored edits; ignores unknown fields. */
export const parseEdits = (stored: unknown): Edits =>
  Object.fromEntries(
    fieldNames.flatMap((name) => {
      const text = fieldIn(stored, name);
      return typeof text === "string" ? [[name, text]] : [];
    }),
  );

const isIfExists = (value: unknown): value is IfExists => ["update", "replace", "none"].some((one) => one === value);

export const parseEditDraft = (stored: unknown): EditDraft => {
  const ifExists = fieldIn(stored, "ifExists");
  return { edits: parseEdits(fieldIn(stored, "edits")), ifExists: isIfExists(ifExists) ? ifExists : "update" };
};

/** A started new job: its fields, and its buyer if that was chosen. */
export type NewJobDraft = Edits & { readonly organizationId?: string };

export const parseNewJob = (stored: unknown): NewJobDraft => {
  const organizationId = fieldIn(stored, "organizationId");
  return { ...parseEdits(stored), ...(typeof organizationId === "string" ? { organizationId } : {}) };
};

export const isTyped = (edits: Edits): boolean => Object.keys(edits).length > 0;
