import { queryOptions } from "@tanstack/react-query";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";
import { builtInReceiver } from "./mutations.ts";

/** Whether the reference sink gets the events of an integration. */
export const receiverSubscriptionQuery = (world: string, integrationId: string) =>
  queryOptions({
    queryKey: worldKeys(world).subscriptions("receiver", integrationId),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("subscriptions.list", { world }, { signal });
      return items.some((one) => one.integration_id === integrationId && one.url === builtInReceiver());
    },
  });

/**
 * How long the service worked on an exchange, in milliseconds, as it has it on record. Not among the requests' keys:
 * what is on record never changes, whatever is called after it.
 */
export const servedQuery = (world: string, requestId: string | null) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "install", "served", requestId] as const,
    enabled: requestId !== null,
    queryFn: async ({ signal }) =>
      (await callControl("requests.get", { id: requestId ?? "", world }, { signal })).duration_ms,
    // It is written down after it was answered.
    retry: 2,
  });
