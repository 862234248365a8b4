import { Stack, Text } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from "@tabler/icons-react";
import type { DeliveryRow, Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { classifyAddress } from "../../../domain/delivery/address.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { useControl } from "../../../kernel/queries/use-act.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { useDeliveriesEnabled } from "../queries.ts";

export const SendTest = ({ subscription: { id, scope, paused_at } }: { subscription: Subscription }) => {
  const sends = useDeliveriesEnabled();
  const send = useControl("subscriptions.send-test", { changes: ["delivery"], failed: "Send a test event" });
  const world = useWorld();
  if (scope === null) return null;
  const onSuccess = (delivery: Pick<DeliveryRow, "id" | "event_type">) =>
    notify.done({
      title: paused_at === null ? "Test event queued" : "Test event queued. The subscription is paused",
      detail: `A signed ${delivery.event_type}, sent to this subscription only. The job or order in it doesn’t exist.`,
      link: { href: hrefs.delivery(delivery.id), label: "Open delivery", world },
    });
  return (
    <Button
      small
      icon={IconSend}
      busy={send.isPending}
      disabled={!sends}
      title={
        sends
          ? "Sends a signed event to this subscription only, marked as a test"
          : "Deliveries are off: start the service with --deliveries on"
      }
      onClick={() => send.mutate({ id }, { onSuccess })}
    >
      Send a test event
    </Button>
  );
};

interface UnsubscribeProps {
  readonly onClose: () => void;
  readonly onEnded?: () => void;
}

/** The effect of ending a subscription: a built-in receiver is deleted, too. */
const Unsubscribe = ({
  of: { id, url, organization_name, pending },
  onClose,
  onEnded,
}: UnsubscribeProps & { of: Subscription }) => {
  const to = classifyAddress(url);
  const end = useControl(to.kind === "receiver" ? "receivers.delete" : "subscriptions.delete", {
    changes: ["subscription", "receiver"],
  });
  const remove = async () => {
    try {
      await end.mutateAsync({ id: to.kind === "receiver" ? to.id : id });
    } catch {
      // The dialog shows the error.
      return;
    }
    // Runs even after unmounting: the feed may report the end before the response.
    announce("Subscription removed");
    onClose();
    onEnded?.();
  };
  return (
    <Stack gap="md">
      <p>
        <Text variant="code" style={{ overflowWrap: "anywhere" }}>
          {url}
        </Text>{" "}
        gets no further notifications for {organization_name || "this integration"}.{" "}
        {to.kind === "receiver" && "The built-in receiver is deleted with its subscription."}
      </p>
      <Text component="p" variant="note">
        {pending > 0 && `${plural(pending, "pending delivery", "pending deliveries")} will not be sent. `}
        Finished deliveries stay in the feed.
      </Text>
      <Refused error={end.error} />
      <DialogFoot>
        <Button look="quiet" onClick={onClose}>
          Keep subscription
        </Button>
        <Button look="danger" busy={end.isPending} onClick={() => void remove()}>
          Remove subscription
        </Button>
      </DialogFoot>
    </Stack>
  );
};

/** Asks before a subscription ends. */
export const UnsubscribeDialog = ({
  subscription,
  ...props
}: UnsubscribeProps & { subscription: Subscription | null }) => (
  <Dialog opened={subscription !== null} onClose={props.onClose} title="Remove this subscription?" size={480}>
    {subscription && <Unsubscribe key={subscription.id} of={subscription} {...props} />}
  </Dialog>
);

/** Pauses a subscription, or resumes it with its pending deliveries; or removes it. */
export const SubscriptionActions = ({
  subscription,
  onRemove,
}: {
  subscription: Subscription;
  onRemove: () => void;
}) => {
  const paused = subscription.paused_at !== null;
  // Separate mutations: the feed may report the pause before its response, and a resume must be possible then.
  const pause = useControl("subscriptions.pause", { changes: ["subscription"], failed: "Pause subscription" });
  const resume = useControl("subscriptions.resume", { changes: ["subscription"], failed: "Resume subscription" });
  const { isPending, mutate } = paused ? resume : pause;
  const what = `the subscription of ${subscription.organization_name || subscription.integration_id} to ${subscription.url}`;
  return (
    <>
      <IconButton
        small
        icon={paused ? IconPlayerPlay : IconPlayerPause}
        label={`${paused ? "Resume" : "Pause"} ${what}`}
        needs="act"
        aria-busy={isPending}
        onClick={() => {
          // Not disabled while pending, because it would lose focus.
          if (isPending) return;
          const onSuccess = () => announce(paused ? "Subscription resumed" : "Subscription paused");
          mutate({ id: subscription.id }, { onSuccess });
        }}
      />
      <IconButton small needs="act" icon={IconTrash} label={`Remove ${what}`} onClick={onRemove} />
    </>
  );
};
