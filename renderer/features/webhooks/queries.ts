import { useQuery } from "@tanstack/react-query";
import type { DeliveryRow, DeliveryStatus } from "../../../sandbox/contract/control/rows.ts";
import type { LiveListQuery } from "../../app/live/live-list.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { serviceInfoQuery, worldSummaryQuery } from "../../app/world-queries.ts";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { callControl } from "../../lib/service-client.ts";
import type { FeedFilter } from "./addresses.ts";

export const feedList = (world: string, filter: FeedFilter): LiveListQuery<DeliveryRow> => {
  const asked = {
    ...(filter.status === "all" ? {} : { status: filter.status }),
    ...(filter.subscription === null ? {} : { subscription_id: filter.subscription }),
  };
  return {
    queryKey: worldKeys(world).deliveries("list", filter),
    read: (from, signal) => callControl("deliveries.list", { ...asked, ...from, world }, { signal }),
    fits: ({ status }) => filter.status === "all" || filter.status === status,
  };
};

/** How many deliveries wait and how many were given up, to one subscription or to all. */
export const useFeedCounts = (subscriptionId: string | null) =>
  useQuery({
    ...worldSummaryQuery(useWorld()),
    select: ({ deliveries, subscriptions }): Readonly<Record<DeliveryStatus, number>> | undefined =>
      subscriptionId === null ? deliveries : subscriptions.find(({ id }) => id === subscriptionId),
  }).data;

/** Whether the service sends at all: it can be started with `--deliveries off`. */
export const useSends = (): boolean => useQuery(serviceInfoQuery()).data?.deliveries !== false;

/** Whether a subscription is paused: what waits for it has no next attempt then. */
export const usePaused = (subscriptionId: string): boolean =>
  useQuery(subscriptionsQuery(useWorld())).data?.some(
    ({ id, paused_at }) => id === subscriptionId && paused_at !== null,
  ) === true;

/** Whether a subscription is there no longer: nothing is sent for it, and nothing again. */
export const useEnded = (subscriptionId: string): boolean =>
  useQuery(subscriptionsQuery(useWorld())).data?.some(({ id }) => id === subscriptionId) === false;
