import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify } from "../../app/notices.tsx";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { announce } from "../../lib/announce.ts";
import { callControl, exchangeRoute } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";

/** What each reason of `/__webhooks/subscribe` means and what to do about it (contract, "Subscription"; D76, D77). */
const meanings: Readonly<Record<string, string>> = {
  url_not_loopback:
    "A local service sends to this machine only: http or https to localhost, 127.0.0.1, [::1] or 0.0.0.0, at a port from 1 to 65535, without a user name or password in the address.",
  https_required:
    "A deployed service sends to public https addresses only, at a port from 1 to 65535, without a user name or password in the address.",
  private_or_reserved_host: "A deployed service sends to public hosts only; this one is private or reserved.",
  too_many_subscriptions: "This integration has as many subscriptions in this world as it may; delete one first.",
  missing_field: "Both fields are required, and integration_id must be a UUID.",
  bad_body: "The body could not be read as a JSON object.",
};

/** The refusal with the service's code and a sentence about it. */
export const subscribeFailure = (failure: ServiceFailure): ServiceFailure =>
  new ServiceFailure(failure.status, failure.code, meanings[failure.code] ?? failure.message, failure.requestId);

/** The service's own reference sink, under the address this window reached the service with. */
export const sinkUrl = (): string => `${window.location.origin}/__webhooks/sink`;

interface SubscribeRequest {
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
