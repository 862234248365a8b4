import { IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { hasPlace } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { Button } from "../../components/button.tsx";
import { TextLink } from "../../components/link.tsx";
import { State } from "../../components/state.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { builtInReceiver, useSubscribeReceiver } from "./mutations.ts";

/** One click and the integration's events arrive somewhere, without a server of one's own. */
export const SubscribeReceiver = ({ integrationId }: { integrationId: string }) => {
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  const subscribed = subscriptions?.some(
    ({ integration_id, url }) => integration_id === integrationId && url === builtInReceiver(),
  );
  const subscribe = useSubscribeReceiver();
  if (subscribed) {
    return (
      <State of="done">
        Receives its events
        {hasPlace("webhooks") && (
          <>
            : <TextLink href="/webhooks">Webhooks</TextLink>
          </>
        )}
      </State>
    );
  }
  return (
    <Button
      small
      icon={IconWebhook}
      busy={subscribe.isPending}
      title="A receiver in the sandbox itself: it verifies every notification and answers 200"
      onClick={() => subscribe.mutate(integrationId)}
    >
      Subscribe the built-in test receiver (reference sink)
    </Button>
  );
};
