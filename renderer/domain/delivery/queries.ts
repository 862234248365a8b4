import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/** Who hears of the events of which integration. */
export const subscriptionsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).subscriptions("list"),
    queryFn: async ({ signal }) => (await callControl("subscriptions.list", { world }, { signal })).items,
  });

/** A delivery with every attempt, byte for byte. */
export const deliveryQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("detail", id),
    queryFn: ({ signal }) => callControl("deliveries.get", { id, world }, { signal }),
  });
