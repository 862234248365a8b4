import {
  type ConflictStrategy,
  namedFields,
  type WrittenFields,
  type WrittenKey,
  writtenFields,
  writtenKeys,
} from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { draftValues, type JobDraft, type OptionalKey, toJobDraft } from "../fields.tsx";
import type { EditDraft } from "./job-draft.ts";

const optionalKeys: readonly OptionalKey[] = writtenKeys.filter((key) => key !== "repairer_site_id");

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type Values = ReturnType<typeof draftValues>;

const picked = (values: Values, isSent: (key: OptionalKey) => boolean): Partial<JobInsert> =>
  Object.fromEntries(optionalKeys.filter(isSent).map((key) => [key, values[key]]));

/** Body of a new job, without empty fields. */
export const insertBody = (draft: JobDraft): JobInsert => {
  const values = draftValues(draft);
  return {
    identity: { external: draft.external },
    repairer_site_id: draft.siteId,
    ...picked(values, (key) => !isEmpty(values[key])),
  };
};

/**
 * Body of a changed job. An update contains only differences, with explicit null for emptied fields (D32). A replace
 * contains everything that must stay, because missing fields become empty (D33).
 */
export const changeBody = (job: Job, { edits, ifExists }: EditDraft): JobInsert => {
  const now = toJobDraft(job);
  const draft = { ...now, ...edits };
  const [before, values] = [draftValues(now), draftValues(draft)];
  return {
    identity: { id: job.id },
    repairer_site_id: draft.siteId,
    ...picked(values, (key) => (ifExists === "replace" ? !isEmpty(values[key]) : !isSame(values[key], before[key]))),
    ...(ifExists === "none" ? {} : { if_: { exists: ifExists } }),
  };
};

/**
 * `written`: the body contains the value. `cleared`: an explicit null or an empty list. `kept`: missing in an update.
 * `emptied`: missing in a replace.
 */
type KeyEffect = "written" | "cleared" | "kept" | "emptied";

export interface KeyOutcome {
  readonly key: WrittenKey;
  readonly effect: KeyEffect;
  readonly before: WrittenFields[WrittenKey];
  readonly after: WrittenFields[WrittenKey];
}

/**
 * The effect of `repairer.jobs.insert` on each key of an existing job, if accepted.
 * @param body names the insurer by its ID, if at all
 */
export const changeOutcomes = (job: Job, body: JobInsert, strategy: ConflictStrategy): readonly KeyOutcome[] => {
  const { work_provider_id: id } = body;
  const provider = typeof id === "string" ? id.toLowerCase() : id;
  const before: WrittenFields = { ...job, images: job.images.map(({ public_url }) => public_url) };
  const after = writtenFields(strategy === "update" ? before : null, body, provider);
  const names = namedFields(body, provider);
  return writtenKeys.map((key) => {
    const value = after[key];
    const leftOut = strategy === "update" ? "kept" : "emptied";
    const effect = names[key] === undefined ? leftOut : isEmpty(value) ? "cleared" : "written";
    return { key, effect, before: before[key], after: value };
  });
};

const whys = {
  written: "The key is sent, so its value is written",
  cleared: "The key is sent without a value, so it is cleared",
  kept: "The key is omitted. An update keeps the current value",
  emptied: "The key is omitted. A replace empties it",
} as const;

/** Describes a key's effect and its reason in the decisions' words; `loses` when data is lost. */
export const outcomeText = (outcome: KeyOutcome) => {
  const { effect } = outcome;
  const same = isSame(outcome.before, outcome.after);
  const asWritten = effect === "written" || effect === "cleared";
  return {
    word: same && asWritten ? `${effect}, unchanged` : same ? "kept" : effect,
    changes: !same,
    loses: !same && effect === "emptied",
    why: same && effect === "emptied" ? "The key is omitted and was already empty" : whys[effect],
  };
};
