import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify } from "../../app/notices.tsx";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { announce } from "../../lib/announce.ts";
import { callControl, exchangeRoute } from "../../lib/service-client.ts";
import { subscribeFailure } from "./subscriptions/refusals.ts";

/** The service's own reference sink, under the address this window reached the service with. */
export const sinkUrl = (): string => `${window.location.origin}/__webhooks/sink`;

export interface SubscribeRequest {
  readonly integration_id: string;
  readonly url: string;
}

/** Registers an address; an empty field is left out, so that the service says what it thinks of that. */
const subscribe = async ({ integration_id, url }: SubscribeRequest): Promise<void> => {
  const body = { ...(integration_id ? { integration_id } : {}), ...(url ? { url } : {}) };
  const { failure } = await exchangeRoute("/__webhooks/subscribe", body);
  if (failure) throw subscribeFailure(failure);
};

/** One address or several at once; the first refusal ends it. */
export const useSubscribe = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (requests: readonly SubscribeRequest[]) => {
      for (const request of requests) await subscribe(request);
    },
    onSettled: () => client.invalidateQueries({ queryKey: worldKeys(world).subscriptions() }),
  });
};

export const useUnsubscribe = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callControl("subscriptions.delete", { id, world }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: worldKeys(world).subscriptions() }),
        // What was never tried ended with it, and the feed has no entry for that.
        client.invalidateQueries({ queryKey: worldKeys(world).deliveries() }),
      ]),
  });
};

/** Pauses a subscription or resumes it. */
export const usePause = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, paused }: { readonly id: string; readonly paused: boolean }) =>
      callControl(paused ? "subscriptions.pause" : "subscriptions.resume", { id, world }),
    onSuccess: (_answer, { paused }) => {
      announce(paused ? "Subscription paused" : "Subscription resumed");
      return client.invalidateQueries({ queryKey: worldKeys(world).subscriptions() });
    },
    onError: (error, { paused }) => notify.failed(paused ? "Pause" : "Resume", error),
  });
};

/** Sends a notification again: another delivery with the same message_id, stamped and signed afresh. */
export const useSendAgain = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callControl("deliveries.redeliver", { id, world }),
    onSuccess: () => client.invalidateQueries({ queryKey: worldKeys(world).deliveries() }),
    onError: (error) => notify.failed("Send again", error),
  });
};
