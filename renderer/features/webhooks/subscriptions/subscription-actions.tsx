import { IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { notify } from "../../../app/notices.tsx";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { IconButton } from "../../../components/button.tsx";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { EndDialog } from "../parts.tsx";

const usePause = () => {
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

/** Pauses a subscription, or resumes it and what waits for it; and removes it. */
export const SubscriptionActions = ({
  subscription,
  onRemove,
}: {
  subscription: Subscription;
  onRemove: () => void;
}) => {
  const pause = usePause();
  const paused = subscription.paused_at !== null;
  const what = `the subscription of ${subscription.organization_name || subscription.integration_id} to ${subscription.url}`;
  return (
    <>
      <IconButton
        small
        icon={paused ? IconPlayerPlay : IconPlayerPause}
        label={`${paused ? "Resume" : "Pause"} ${what}`}
        aria-busy={pause.isPending}
        onClick={() => {
          // Not disabled meanwhile: it would lose the focus.
          if (!pause.isPending) pause.mutate({ id: subscription.id, paused: !paused });
        }}
      />
      <IconButton small icon={IconTrash} label={`Remove ${what}`} onClick={onRemove} />
    </>
  );
};

/** Asks before a subscription ends, and says what ends with it. */
export const UnsubscribeDialog = ({
  subscription,
  onClose,
  onRemoved,
}: {
  subscription: Subscription | null;
  onClose: () => void;
  onRemoved?: () => void;
}) => {
  const unsubscribe = useUnsubscribe();
  const remove = async ({ id }: Subscription) => {
    try {
      await unsubscribe.mutateAsync(id);
    } catch {
      // Shown in the dialog.
      return;
    }
    // Whether this is still there or not: the page of a subscription that is gone is not.
    announce("Subscription removed");
    onClose();
    onRemoved?.();
  };
  return (
    <EndDialog
      title="Remove this subscription?"
      yes="Remove subscription"
      opened={subscription !== null}
      ending={unsubscribe}
      onClose={onClose}
      onEnd={() => subscription && void remove(subscription)}
    >
      {subscription && (
        <>
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
        </>
      )}
    </EndDialog>
  );
};
