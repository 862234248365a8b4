import { queryOptions, useQuery } from "@tanstack/react-query";
import { jobsList, procurementsList } from "../../../sandbox/contract/control/operations.ts";
import { callControl } from "../../lib/service-client.ts";
import { worldKeys } from "../query-keys.ts";
import { useWorld } from "../world.ts";

/** How many jobs there are in all. */
export const jobCountQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).jobs("count"),
    queryFn: async ({ signal }) => (await callControl(jobsList, { limit: 1, world }, { signal })).total,
  });

/** How many procurements there are in all. */
export const procurementCountQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("count"),
    queryFn: async ({ signal }) => (await callControl(procurementsList, { limit: 1, world }, { signal })).total,
  });

/** The rail's counts by place name; a place without one has none. */
export const useCounts = (): Readonly<Record<string, number | undefined>> => {
  const world = useWorld();
  const jobs = useQuery(jobCountQuery(world));
  const procurements = useQuery(procurementCountQuery(world));
  return { jobs: jobs.data, procurements: procurements.data };
};
