import { worldKeys } from "../../app/query-keys.ts";

/**
 * What is read of one job, and what the jobs place reads beside. None of it stands under `jobs` or `partner`, which any
 * change of any job makes stale as a whole: `useLiveJobs` makes stale what is of the jobs that changed.
 */
export const jobKeys = (world: string) => {
  const { all, organizations } = worldKeys(world);
  return {
    /** Everything that is read of single jobs. */
    each: [...all, "of-job"] as const,
    of: (jobId: string, ...rest: readonly unknown[]) => [...all, "of-job", jobId.toLowerCase(), ...rest] as const,
    /** The rows of the list, which `useLiveRows` changes one by one. */
    rows: (...rest: readonly unknown[]) => [...all, "job-rows", ...rest] as const,
    /** What the world was seeded with, and no call changes. */
    seeded: (...rest: readonly unknown[]) => organizations("jobs", ...rest),
  };
};

/** The job a key of `jobKeys(…).of` is about; null for any other key. */
export const jobIn = (key: readonly unknown[]): string | null =>
  key[2] === "of-job" && typeof key[3] === "string" ? key[3] : null;
