import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { deliveriesGet, deliveriesList, subscriptionsList } from "../../../sandbox/contract/control/operations.ts";
import type { DeliveryRow, DeliveryStatus } from "../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { serviceInfoQuery } from "../../app/world-queries.ts";
import { callControl } from "../../lib/service-client.ts";

export type StatusFilter = "all" | Exclude<DeliveryStatus, "delivered">;

/** What the feed shows: deliveries of a status, to one integration or to all. */
export interface FeedFilter {
  readonly status: StatusFilter;
  readonly integrationId: string | null;
}

const asked = ({ status, integrationId }: FeedFilter) => ({
  ...(status === "all" ? {} : { status }),
  ...(integrationId === null ? {} : { integration_id: integrationId }),
});

/** Deliveries, newest first, a page at a time. */
export const feedQuery = (world: string, filter: FeedFilter) =>
  infiniteQueryOptions({
    queryKey: worldKeys(world).deliveries("list", filter),
    queryFn: ({ pageParam, signal }) =>
      callControl(
        deliveriesList,
        { ...asked(filter), ...(pageParam === null ? {} : { cursor: pageParam }), world },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** How many deliveries wait and how many were given up, of one integration or of all. */
export const feedCountsQuery = (world: string, integrationId: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("counts", integrationId),
    queryFn: async ({ signal }) => {
      const count = async (status: StatusFilter) =>
        (await callControl(deliveriesList, { ...asked({ status, integrationId }), limit: 1, world }, { signal })).total;
      const [all, pending, failed] = await Promise.all([count("all"), count("pending"), count("failed")]);
      return { all, pending, failed };
    },
    placeholderData: keepPreviousData,
  });

/** A delivery with every try, byte for byte. */
export const deliveryQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("detail", id),
    queryFn: ({ signal }) => callControl(deliveriesGet, { id, world }, { signal }),
  });

/** Who receives the events of which integration. */
export const subscriptionsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).subscriptions("list"),
    queryFn: async ({ signal }) => (await callControl(subscriptionsList, { world }, { signal })).items,
  });

/** Whether the service sends at all: it can be started with `--deliveries off`. */
export const useSends = (): boolean => useQuery(serviceInfoQuery()).data?.deliveries !== false;

/** Whether a subscription is paused: what waits for it has no next try then. */
export const usePaused = (subscriptionId: string): boolean =>
  useQuery({
    ...subscriptionsQuery(useWorld()),
    select: (all) => all.some(({ id, paused_at }) => id === subscriptionId && paused_at !== null),
  }).data === true;

export const keyOfDelivery = (row: DeliveryRow): string => row.id;
