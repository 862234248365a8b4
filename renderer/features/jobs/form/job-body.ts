import type { KeyOutcome } from "../../../../sandbox/contract/job-change.ts";
import type { JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { draftOf, type JobDraft, type OptionalKey, valuesOf } from "../../../domain/job/fields.tsx";
import { type EditDraft, optionalKeys } from "./job-draft.ts";

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

const picked = (values: ReturnType<typeof valuesOf>, sent: (key: OptionalKey) => boolean): Partial<JobInsert> =>
  Object.fromEntries(optionalKeys.filter(sent).map((key) => [key, values[key]]));

/** The body that inserts a new job: empty fields are left out. */
export const insertBody = (draft: JobDraft): JobInsert => {
  const values = valuesOf(draft);
  return {
    identity: { external: draft.external },
    repairer_site_id: draft.siteId,
    ...picked(values, (key) => !isEmpty(values[key])),
  };
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The keys the body names. By itself an update names only what differs, an emptied one as an explicit null (D32); a
 * replace names everything that is to stay, since what it leaves out becomes empty (D33). The person may say otherwise.
 */
export const keysSent = ({ began, fields, ifExists, keys }: EditDraft): ReadonlySet<OptionalKey> => {
  const values = valuesOf(fields);
  const before = valuesOf(draftOf(began));
  const byItself = (key: OptionalKey) =>
    ifExists === "replace" ? !isEmpty(values[key]) : !isSame(values[key], before[key]);
  return new Set(optionalKeys.filter((key) => keys[key] ?? byItself(key)));
};

export const changeBody = (draft: EditDraft): JobInsert => {
  const { began, fields, ifExists } = draft;
  const sent = keysSent(draft);
  return {
    identity: { id: began.id },
    repairer_site_id: fields.siteId,
    ...picked(valuesOf(fields), (key) => sent.has(key)),
    ...(ifExists === "none" ? {} : { if_: { exists: ifExists } }),
  };
};

const whys = {
  written: "The key is sent, so its value is written",
  cleared: "The key is sent without a value, so it is cleared",
  kept: "The key is omitted. An update keeps the current value",
  emptied: "The key is omitted. A replace empties it",
} as const;

/** What becomes of a key, and why, in the decisions' words; it loses what a body does not name. */
export const outcomeWords = (outcome: KeyOutcome) => {
  const { effect } = outcome;
  const same = isSame(outcome.before, outcome.after);
  const asWritten = effect === "written" || effect === "cleared";
  return {
    word: same && asWritten ? `${effect === "cleared" ? "cleared" : "written"}, unchanged` : same ? "kept" : effect,
    changes: !same,
    loses: !same && effect === "emptied",
    why: same && effect === "emptied" ? "The key is omitted and was already empty" : whys[effect],
  };
};
