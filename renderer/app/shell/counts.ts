import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Total } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { worldKeys } from "../query-keys.ts";
import { useWorld } from "../world.ts";

/** How many jobs there are in all. */
export const jobCountQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).jobs("count"),
    queryFn: ({ signal }) => callControl("jobs.list", { limit: 1, world }, { signal }),
  });

/** How many procurements there are in all. */
export const procurementCountQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("count"),
    queryFn: ({ signal }) => callControl("procurements.list", { limit: 1, world }, { signal }),
  });

/** The rail's counts by place name; a place without one has none. */
export const useCounts = (): Readonly<Record<string, Total | undefined>> => {
  const world = useWorld();
  const jobs = useQuery(jobCountQuery(world));
  const procurements = useQuery(procurementCountQuery(world));
  return { jobs: jobs.data, procurements: procurements.data };
};
