import { queryOptions } from "@tanstack/react-query";
import { subscriptionsList } from "../../../sandbox/contract/control/operations.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";
import { builtInReceiver } from "./mutations.ts";

/** Whether the reference sink gets the events of an integration. */
export const receiverSubscriptionQuery = (world: string, integrationId: string) =>
  queryOptions({
    queryKey: worldKeys(world).subscriptions("receiver", integrationId),
    queryFn: async ({ signal }) => {
      const { items } = await callControl(subscriptionsList, { world }, { signal });
      return items.some((one) => one.integration_id === integrationId && one.url === builtInReceiver());
    },
  });
