import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../../app/query-keys.ts";
import { callControl } from "../../../lib/service-client.ts";

/** A subscription's latest result of every drill. */
export const scorecardQuery = (world: string, subscriptionId: string) =>
  queryOptions({
    queryKey: worldKeys(world).drills("card", subscriptionId),
    queryFn: ({ signal }) => callControl("drills.list", { subscription_id: subscriptionId, world }, { signal }),
  });

/** One drill that was run, byte for byte. It never changes, so its key is out of the live feed's reach. */
export const drillQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "drill", id] as const,
    queryFn: ({ signal }) => callControl("drills.get", { id, world }, { signal }),
  });
