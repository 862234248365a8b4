import { queryOptions } from "@tanstack/react-query";
import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { LiveListQuery } from "../../../app/live/live-list.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useControl } from "../../../app/use-control.ts";
import { callControl } from "../../../lib/service-client.ts";

/** A drill arrives without a delivery the feed would tell of: what is shown again is read again. */
const staleTime = 0;

export const receiversQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).receivers("list"),
    queryFn: async ({ signal }) => (await callControl("receivers.list", { world }, { signal })).items,
    staleTime,
  });

/** What a receiver was sent, newest first. */
export const receivedList = (world: string, id: string): LiveListQuery<Receipt> => ({
  queryKey: worldKeys(world).receivers("received", id),
  read: (from, signal) => callControl("receivers.received", { id, ...from, world }, { signal }),
});

type Ways = Parameters<typeof useControl>[1];
const stale: Ways["stale"] = (keys) => [keys.receivers(), keys.subscriptions()];

/** Makes a receiver and subscribes it in one step. */
export const useMakeReceiver = () => useControl("receivers.create", { stale });
export const useSetReceiver = () => useControl("receivers.set", { stale });
export const useResetReceiver = () => useControl("receivers.reset", { stale, failed: "Forget what it received" });
export const useDeleteReceiver = () =>
  useControl("receivers.delete", { stale: (keys) => [...stale(keys), keys.deliveries()] });

/** Lets this world try again within seconds, so that a receiver that fails can be watched to its end (D72). */
export const useTryFaster = () =>
  useControl("policies.set", { stale: (keys) => [keys.policies()], failed: "Try faster" });
