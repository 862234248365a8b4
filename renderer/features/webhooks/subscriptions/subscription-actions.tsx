import { IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from "@tabler/icons-react";
import type { DeliveryRow, Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { useControl } from "../../../app/use-control.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { EndDialog } from "../parts.tsx";
import { useSends } from "../queries.ts";

/** What each side's test event is, in the contract's words. */
const testEvents = { repairer: "repairer.jobs", supplier: "supplier.procurements" } as const;

export const SendTest = ({ subscription: { id, scope, paused_at } }: { subscription: Subscription }) => {
  const sends = useSends();
  const send = useControl("subscriptions.send-test", {
    changes: ["delivery"],
    failed: "Send a test event",
  });
  const world = useWorld();
  if (scope === null) return null;
  const onSuccess = (made: Pick<DeliveryRow, "id" | "event_type">) =>
    notify.done({
      title: paused_at === null ? "Test event queued" : "Test event waits: the subscription is paused",
      detail: `A signed ${made.event_type} to this subscription alone. What it names does not exist.`,
      link: { href: hrefs.delivery(made.id), label: "Its delivery", world },
    });
  return (
    <Button
      small
      icon={IconSend}
      busy={send.isPending}
      disabled={!sends}
      title={
        sends
          ? `A signed ${testEvents[scope]} to this subscription alone, marked as a test: what it names does not exist`
          : "Deliveries are off: start the service with --deliveries on"
      }
      onClick={() => send.mutate({ id }, { onSuccess })}
    >
      Send a test event
    </Button>
  );
};

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
    changes: ["subscription"],
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
  onEnded,
}: {
  subscription: Subscription | null;
  onClose: () => void;
  onEnded?: (() => void) | undefined;
}) => {
  const unsubscribe = useControl("subscriptions.delete", { changes: ["subscription"] });
  return (
    <EndDialog
      of={subscription}
      what="Subscription"
      verb="Remove"
      ending={unsubscribe}
      onClose={onClose}
      onEnded={onEnded}
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
