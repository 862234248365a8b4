import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { createThrottle } from "../../app/live/throttle.ts";
import { useLive } from "../../app/live/use-live.ts";
import { useWorld } from "../../app/world.ts";
import { jobIn, jobKeys } from "./job-keys.ts";

/** At most this often a second what changed of a job is read. */
const EVERY_MS = 250;

/**
 * Keeps what is read of single jobs as it is in the world: a change of one makes stale what is of that one alone, and
 * what changes while the place is not on the screen is found when it is back.
 */
export const useLiveJobs = (): void => {
  const client = useQueryClient();
  const world = useWorld();
  const stale = useMemo(
    () =>
      createThrottle(EVERY_MS, (jobId) => {
        void client.invalidateQueries({ queryKey: jobKeys(world).of(jobId) });
      }),
    [client, world],
  );
  useLive("state", (entries) => {
    const changed = new Set(entries.flatMap(({ data }) => data.job_id?.toLowerCase() ?? []));
    const known = new Set(client.getQueriesData({ queryKey: jobKeys(world).each }).map(([key]) => jobIn(key)));
    for (const jobId of changed) if (known.has(jobId)) stale(jobId);
  });
  useEffect(
    () => () => {
      void client.invalidateQueries({ queryKey: jobKeys(world).each, refetchType: "none" });
    },
    [client, world],
  );
};
