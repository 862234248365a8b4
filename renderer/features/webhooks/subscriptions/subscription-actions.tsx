import { IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { useControl } from "../../../app/use-control.ts";
import { IconButton } from "../../../components/button.tsx";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { EndDialog } from "../parts.tsx";

/** Pauses a subscription, or resumes it and what waits for it; and removes it. */
export const SubscriptionActions = ({
  subscription,
  onRemove,
}: {
  subscription: Subscription;
  onRemove: () => void;
}) => {
  const paused = subscription.paused_at !== null;
  const pause = useControl(paused ? "subscriptions.resume" : "subscriptions.pause", {
    stale: (keys) => [keys.subscriptions()],
    failed: paused ? "Resume" : "Pause",
  });
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
          if (pause.isPending) return;
          const onSuccess = () => announce(paused ? "Subscription resumed" : "Subscription paused");
          pause.mutate({ id: subscription.id }, { onSuccess });
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
  const unsubscribe = useControl("subscriptions.delete", {
    // What was never attempted ends with it, and the feed has no entry for that.
    stale: (keys) => [keys.subscriptions(), keys.deliveries()],
  });
  const remove = async ({ id }: Subscription) => {
    try {
      await unsubscribe.mutateAsync({ id });
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
