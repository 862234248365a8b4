import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Receipt, Receiver, ReceiverBehaviour } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { LiveListQuery } from "../../../app/live/live-list.ts";
import { notify } from "../../../app/notices.tsx";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
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

/** Makes a receiver and subscribes it in one step, changes what it does, lets it forget, ends it. */
export const useReceiverMutations = () => {
  const world = useWorld();
  const client = useQueryClient();
  const onSettled = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: worldKeys(world).receivers() }),
      client.invalidateQueries({ queryKey: worldKeys(world).subscriptions() }),
    ]);
  return {
    create: useMutation({
      mutationFn: (asked: {
        readonly integration_id: string;
        readonly behaviour: ReceiverBehaviour;
      }): Promise<Receiver> => callControl("receivers.create", { ...asked, world }),
      onSettled,
    }),
    set: useMutation({
      mutationFn: (asked: { readonly id: string; readonly behaviour: ReceiverBehaviour }) =>
        callControl("receivers.set", { ...asked, world }),
      onSettled,
    }),
    forget: useMutation({
      mutationFn: (id: string) => callControl("receivers.reset", { id, world }),
      onSettled,
      onError: (error) => notify.failed("Forget what it received", error),
    }),
    remove: useMutation({
      mutationFn: (id: string) => callControl("receivers.delete", { id, world }),
      onSettled: () =>
        Promise.all([onSettled(), client.invalidateQueries({ queryKey: worldKeys(world).deliveries() })]),
    }),
  };
};

/** Lets this world try again within seconds, so that a receiver that fails can be watched to its end (D72). */
export const useTryFaster = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callControl("policies.set", { policies: { webhook_retries: "fast" }, world }),
    onSettled: () => client.invalidateQueries({ queryKey: worldKeys(world).policies() }),
    onError: (error) => notify.failed("Try faster", error),
  });
};
