import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { Refused } from "../form-parts.tsx";

const useUnsubscribe = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callControl("subscriptions.delete", { id, world }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: worldKeys(world).subscriptions() }),
        // What was never attempted ended with it, and the feed has no entry for that.
        client.invalidateQueries({ queryKey: worldKeys(world).deliveries() }),
      ]),
  });
};

/** What ends with a subscription, and whether that is meant. */
export const Confirmation = ({
  subscription,
  onClose,
  onRemoved,
}: {
  subscription: Subscription;
  onClose: () => void;
  onRemoved: () => void;
}) => {
  const unsubscribe = useUnsubscribe();
  const remove = () =>
    unsubscribe.mutate(subscription.id, {
      onSuccess: () => {
        announce("Subscription removed");
        onClose();
        onRemoved();
      },
    });
  return (
    <div className="webhooks-form">
      <p>
        <span className="m wrapany">{subscription.url}</span> gets no further notifications for{" "}
        {subscription.organization_name || "this integration"}.
      </p>
      <p className="t12 t2">
        {subscription.pending > 0
          ? `${plural(subscription.pending, "delivery", "deliveries")} still waiting will end with it: what was attempted stays in the feed as failed, what never was leaves it.`
          : "Nothing is waiting for it."}{" "}
        What was delivered or failed stays in the feed.
      </p>
      <Refused error={unsubscribe.error} />
      <div className="row webhooks-form-end">
        <span className="grow" />
        <Button look="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button look="danger" busy={unsubscribe.isPending} onClick={remove}>
          Remove subscription
        </Button>
      </div>
    </div>
  );
};
