import { IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { requiresCredentials } from "../../../sandbox/contract/control/policies.ts";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { urlMistake } from "../../../sandbox/contract/url-mistake.ts";
import { Button } from "../../components/button.tsx";
import { useActAs, useCredentials } from "../../kernel/credentials/acting.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useAct } from "../../kernel/queries/use-act.ts";
import { switchesQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { type Caller, exchangeRoute } from "../../lib/service-client.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { subscriptionsQuery } from "./queries.ts";

/** Meanings and fixes of the reasons of `/__webhooks/subscribe` (contract, "Subscription"; D76, D77). */
const meanings: Readonly<Record<string, string>> = {
  url_not_loopback:
    "A local service only sends to this machine. Use an http or https URL with localhost, 127.0.0.1, [::1] or 0.0.0.0 and a port from 1 to 65535, without a user name or password.",
  https_required:
    "A deployed service only sends to public https URLs. Use a port from 1 to 65535, without a user name or password.",
  private_or_reserved_host: "A deployed service only sends to public hosts. This host is private or reserved.",
  too_many_subscriptions: "This integration has the maximum number of subscriptions in this world. Delete one first.",
  missing_field: "Both fields are required, and integration_id must be a UUID.",
  bad_body: "The body isn’t a JSON object.",
  unauthorized: "This world needs the API key of the integration to subscribe, and this window doesn’t have that key.",
};

/** Reasons that also apply to a malformed URL. */
const urlReasons = ["url_not_loopback", "https_required"];

/** A refused URL with the service's code and an explanation. */
export const subscribeFailure = ({ status, code, message, requestId }: ServiceFailure, url: string): ServiceFailure => {
  const mistake = urlReasons.includes(code) ? urlMistake(url)?.replaceAll("`", "") : null;
  return new ServiceFailure(status, code, mistake ?? meanings[code] ?? message, requestId);
};

const SINK = "/__webhooks/sink";

/** The test receiver at this window's address of the service. Contains its world, by which a balancer routes. */
export const sinkUrl = (world: string): string =>
  `${window.location.origin}${SINK}${world === DEFAULT_WORLD ? "" : `?world=${world}`}`;

interface SubscribeRequest {
  readonly integration_id: string;
  readonly url: string;
}

/** Subscribes an address. Sends no empty fields, so that the service reports them as missing. */
const subscribe = async (caller: Caller, { integration_id, url }: SubscribeRequest): Promise<void> => {
  const body = { ...(integration_id ? { integration_id } : {}), ...(url ? { url } : {}) };
  const { failure } = await exchangeRoute("/__webhooks/subscribe", body, caller);
  if (failure) throw subscribeFailure(failure, url);
};

/** A note that this world needs a key to subscribe; null when it doesn't (D76). */
export const useKeyNote = (): string | null => {
  const { data } = useQuery(switchesQuery(useWorld()));
  return data && requiresCredentials(data.policies, data.own_keys)
    ? "To subscribe in this world, a program sends its API key and integration ID. Without them the response is 401."
    : null;
};

/** Subscribes one or several addresses; stops at the first refusal. */
export const useSubscribe = () => {
  const needsKey = useKeyNote() !== null;
  const { data: credentials = [] } = useCredentials();
  return useAct(
    async (world, requests: readonly SubscribeRequest[]) => {
      for (const request of requests) {
        const { api_key, integration_id } =
          credentials.find((one) => one.integration_id === request.integration_id) ?? {};
        const key = needsKey && api_key && integration_id ? { api_key, integration_id } : null;
        await subscribe({ world, key }, request);
      }
    },
    { changes: ["subscription"] },
  );
};

type Installed = Pick<Credential, "scope" | "integration_id">;

/**
 * Integrations that this window acts as, or that were just installed, and that are not subscribed to the test receiver.
 * Undefined while loading.
 */
export const useUnsubscribedIntegrations = (installed?: Installed): readonly string[] | undefined => {
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  const acting = [useActAs("repairer").credential, useActAs("supplier").credential];
  const sink = sinkUrl(DEFAULT_WORLD);
  const ids = [installed, ...acting.filter((one) => one?.scope !== installed?.scope)].flatMap((one) =>
    one ? [one.integration_id] : [],
  );
  return (
    subscriptions &&
    ids.filter((id) => !subscriptions.some((one) => one.integration_id === id && one.url.split("?", 1)[0] === sink))
  );
};

/** Subscribes both sides to the test receiver with one click; hidden afterwards. */
export const BothSides = ({ installed, primary = false }: { installed?: Installed; primary?: boolean }) => {
  const unheard = useUnsubscribedIntegrations(installed);
  const url = sinkUrl(useWorld());
  const subscribe = useSubscribe();
  if (!unheard || unheard.length === 0) return null;
  return (
    <Button
      small={!primary}
      look={primary ? "primary" : "default"}
      icon={IconWebhook}
      busy={subscribe.isPending}
      title="The built-in test receiver verifies every notification and responds with 200"
      onClick={() =>
        subscribe.mutate(
          unheard.map((integration_id) => ({ integration_id, url })),
          {
            onSuccess: () => announce("Both sides are subscribed to the test receiver"),
            onError: (error) => notify.failed("Subscribe both sides", error),
          },
        )
      }
    >
      Subscribe both sides to the test receiver
    </Button>
  );
};
