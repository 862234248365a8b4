import { worldKeys } from "../../app/query-keys.ts";

/** What is read of one job, and what the jobs place reads beside. */
export const jobKeys = (world: string) => {
  const { ofJob, organizations } = worldKeys(world);
  return {
    of: ofJob,
    /** What the world was seeded with, and no call changes. */
    seeded: (...rest: readonly unknown[]) => organizations("jobs", ...rest),
  };
};
