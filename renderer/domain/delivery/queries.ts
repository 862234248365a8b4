import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/** Who hears of the events of which integration. */
export const subscriptionsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).subscriptions("list"),
    queryFn: async ({ signal }) => (await callControl("subscriptions.list", { world }, { signal })).items,
  });
