import { queryOptions, useQuery } from "@tanstack/react-query";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { serviceInfoQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { itemsQuery } from "../../lib/control-query.ts";

/** Returns whether the service sends at all: `--deliveries off` disables it. */
export const useDeliveriesEnabled = (): boolean => useQuery(serviceInfoQuery()).data?.deliveries !== false;

/** The reason why a subscription's due notifications are not sent; null for none. */
export const useHoldReason = (subscriptionId: string): "paused" | "not connected" | null => {
  const one = useQuery(subscriptionsQuery(useWorld())).data?.find(({ id }) => id === subscriptionId);
  if (one === undefined) return null;
  if (one.paused_at !== null) return "paused";
  return one.listener?.connected === false ? "not connected" : null;
};

/** Returns whether a subscription has ended: nothing is sent or resent. */
export const useEnded = (subscriptionId: string): boolean =>
  useQuery(subscriptionsQuery(useWorld())).data?.some(({ id }) => id === subscriptionId) === false;

/** The built-in receivers. Always stale, because the feed doesn't report drills that arrive at one. */
export const receiversQuery = (world: string) =>
  queryOptions({ ...itemsQuery(worldKeys(world).receivers("list"), "receivers.list", { world }), staleTime: 0 });
export const useReceivers = () => useQuery(receiversQuery(useWorld()));

const MAX_RECEIPTS = 100;

/** A built-in receiver's latest receipts, newest first. */
export const receivedQuery = (world: string, id: string) =>
  queryOptions({
    ...itemsQuery(worldKeys(world).receivers("received", id), "receivers.received", {
      id,
      limit: MAX_RECEIPTS,
      world,
    }),
    staleTime: 0,
  });
