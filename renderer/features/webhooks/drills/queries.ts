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

/** The newest delivery of a subscription, which drills are made from; null while there is none. */
export const newestDeliveryQuery = (world: string, subscriptionId: string) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("newest", subscriptionId),
    queryFn: async ({ signal }) =>
      (await callControl("deliveries.list", { subscription_id: subscriptionId, limit: 1, world }, { signal }))
        .items[0] ?? null,
  });
