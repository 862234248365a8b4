import type { Policies } from "./control/policies.ts";
import type { WorkProvider } from "./resources/business.ts";
import type { Job, JobInsert } from "./resources/job.ts";

/** What a job insert can write, in the order of the contract; the other keys of a job stay. */
export const writtenKeys = [
  "repairer_site_id",
  "job_number",
  "claim_number",
  "work_provider_id",
  "vehicle",
  "images",
] as const;
export type WrittenKey = (typeof writtenKeys)[number];

/** What `if_` can ask for. */
export type ConflictStrategy = "update" | "replace";

/**
 * `written`: the body has the key, and its value stands afterwards. `cleared`: the body has it as an explicit null, or
 * as an empty list. `kept`: left out of an update (D32). `emptied`: left out of a replace (D33).
 */
export type KeyEffect = "written" | "cleared" | "kept" | "emptied";

export interface KeyOutcome {
  readonly key: WrittenKey;
  readonly effect: KeyEffect;
  readonly before: Job[WrittenKey];
  readonly after: Job[WrittenKey];
}

/** What happens to a job that exists: what the body asks for, else what the world's switch says (D30). */
export const strategyFor = (body: JobInsert, policy: Policies["jobs_insert_conflict"]): ConflictStrategy | "reject" =>
  body.if_?.exists ?? policy;

/** The keys of the body by which it writes a key of the job: the provider has two (D36). */
const bodyKeys = (key: WrittenKey): readonly (keyof JobInsert)[] =>
  key === "work_provider_id" ? ["work_provider_id", "work_provider_contract"] : [key];

const providerIn = (body: JobInsert, providers: readonly WorkProvider[]): string | null => {
  if (typeof body.work_provider_id === "string") return body.work_provider_id.toLowerCase();
  const name = body.work_provider_contract?.toLowerCase();
  return providers.find(({ business_name }) => business_name.toLowerCase() === name)?.organization_id ?? null;
};

/** The value a key of the body stands for in the job. */
const sentValue = (key: WrittenKey, body: JobInsert, providers: readonly WorkProvider[]): Job[WrittenKey] => {
  if (key === "repairer_site_id") return body.repairer_site_id.toLowerCase();
  if (key === "work_provider_id") return providerIn(body, providers);
  if (key === "images") return (body.images ?? []).map((public_url) => ({ public_url }));
  if (key !== "vehicle") return body[key] ?? null;
  if (!body.vehicle) return null;
  // What else the vehicle names is ignored (D7).
  const { chassis_number, plate_number, plate_state } = body.vehicle;
  return { chassis_number, plate_number, plate_state };
};

const isEmpty = (value: Job[WrittenKey]): boolean => value === null || (Array.isArray(value) && value.length === 0);

const outcomeOf = (
  key: WrittenKey,
  job: Job,
  body: JobInsert,
  strategy: ConflictStrategy,
  providers: readonly WorkProvider[],
): KeyOutcome => {
  const before = job[key];
  const sent = bodyKeys(key).some((name) => body[name] !== undefined);
  if (sent) {
    const after = sentValue(key, body, providers);
    return { key, effect: isEmpty(after) ? "cleared" : "written", before, after };
  }
  if (strategy === "update") return { key, effect: "kept", before, after: before };
  return { key, effect: "emptied", before, after: key === "images" ? [] : null };
};

/**
 * What `repairer.jobs.insert` does to a job that exists, key by key, if the service takes the body: keys that are there
 * are written, and an explicit null clears; an update keeps what is left out (D32), a replace empties it (D33).
 *
 * @param providers the insurers the world knows; needed only where the body names one by its contract
 */
export const changeOutcomes = (
  job: Job,
  body: JobInsert,
  strategy: ConflictStrategy,
  providers: readonly WorkProvider[] = [],
): readonly KeyOutcome[] => writtenKeys.map((key) => outcomeOf(key, job, body, strategy, providers));

/** The job as it then is: `id`, `external_id` and parts stay, whatever the strategy (D33). */
export const changedJob = (
  job: Job,
  body: JobInsert,
  strategy: ConflictStrategy,
  providers: readonly WorkProvider[] = [],
): Job => ({
  ...job,
  ...Object.fromEntries(changeOutcomes(job, body, strategy, providers).map(({ key, after }) => [key, after])),
});
