import { queryOptions, useQuery } from "@tanstack/react-query";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { serviceInfoQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { itemsQuery } from "../../lib/control-query.ts";

/** Whether the service sends at all: it can be started with `--deliveries off`. */
export const useSends = (): boolean => useQuery(serviceInfoQuery()).data?.deliveries !== false;

/** What keeps a subscription's notifications from being sent, however due they are; null: nothing does. */
export const useHeld = (subscriptionId: string): "paused" | "not connected" | null => {
  const one = useQuery(subscriptionsQuery(useWorld())).data?.find(({ id }) => id === subscriptionId);
  if (one === undefined) return null;
  if (one.paused_at !== null) return "paused";
  return one.listener?.connected === false ? "not connected" : null;
};

/** Whether a subscription is there no longer: nothing is sent for it, and nothing again. */
export const useEnded = (subscriptionId: string): boolean =>
  useQuery(subscriptionsQuery(useWorld())).data?.some(({ id }) => id === subscriptionId) === false;

/** The built-in receivers. A drill arrives at one without a delivery the feed would tell of. */
export const receiversQuery = (world: string) =>
  queryOptions({ ...itemsQuery(worldKeys(world).receivers("list"), "receivers.list", { world }), staleTime: 0 });
export const useReceivers = () => useQuery(receiversQuery(useWorld()));

const MOST_RECEIVED = 100;

/** What a built-in receiver got last, the newest first. */
export const receivedQuery = (world: string, id: string) =>
  queryOptions({
    ...itemsQuery(worldKeys(world).receivers("received", id), "receivers.received", {
      id,
      limit: MOST_RECEIVED,
      world,
    }),
    staleTime: 0,
  });
