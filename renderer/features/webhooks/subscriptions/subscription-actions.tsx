import { IconPlayerPause, IconPlayerPlay, IconSend, IconWebhook } from "@tabler/icons-react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { Refused } from "../form-parts.tsx";
import { sinkUrl, usePause, useSendTest, useSubscribe, useUnsubscribe } from "../mutations.ts";
import { useSends } from "../queries.ts";

/** Stops sending to an address, or goes on with what waits for it: whichever is not so. */
export const PauseButton = ({ subscription }: { subscription: Subscription }) => {
  const pause = usePause();
  const paused = subscription.paused_at !== null;
  const what = `the subscription of ${subscription.organization_name || subscription.integration_id} to ${subscription.url}`;
  return (
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
  );
};

/** What each side's test event is, in the contract's words. */
const testEvents = { repairer: "repairer.jobs", supplier: "supplier.procurements" } as const;

/** Sends one signed event to this subscription alone. */
export const SendTest = ({ subscription: { id, scope, paused_at } }: { subscription: Subscription }) => {
  const sends = useSends();
  const send = useSendTest();
  if (scope === null) return null;
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
      onClick={() =>
        send.mutate(id, {
          onSuccess: (made) =>
            notify.done({
              title: paused_at === null ? "Test event queued" : "Test event waits: the subscription is paused",
              detail: `A signed ${made.event_type} to this subscription alone. What it names does not exist.`,
              link: { href: hrefs.delivery(made.id), label: "Its delivery" },
            }),
        })
      }
    >
      Send a test event
    </Button>
  );
};

/** One click: whoever this window acts as, on both sides, receives at the reference sink. Gone once that is so. */
export const BothSides = ({
  subscriptions,
  primary = false,
}: {
  subscriptions: readonly Subscription[];
  primary?: boolean;
}) => {
  const buyer = useActAs("repairer").credential;
  const supplier = useActAs("supplier").credential;
  const subscribe = useSubscribe();
  const url = sinkUrl();
  const missing = [buyer, supplier].flatMap((credential) =>
    credential && !subscriptions.some((one) => one.integration_id === credential.integration_id && one.url === url)
      ? [{ integration_id: credential.integration_id, url }]
      : [],
  );
  if (missing.length === 0) return null;
  return (
    <Button
      small={!primary}
      look={primary ? "primary" : "default"}
      icon={IconWebhook}
      busy={subscribe.isPending}
      onClick={() =>
        subscribe.mutate(missing, {
          onSuccess: () => announce("Both sides are subscribed to the reference sink"),
          onError: (error) => notify.failed("Subscribe both sides", error),
        })
      }
    >
      Subscribe both sides to the reference sink
    </Button>
  );
};

const Confirmation = ({
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

/** Asks before a subscription ends, and says what ends with it. */
export const UnsubscribeDialog = ({
  subscription,
  onClose,
  onRemoved = () => undefined,
}: {
  subscription: Subscription | null;
  onClose: () => void;
  onRemoved?: () => void;
}) => (
  <Dialog
    opened={subscription !== null}
    onClose={onClose}
    title="Remove this subscription?"
    size={480}
    closeButtonProps={{ "aria-label": "Close" }}
  >
    {subscription && <Confirmation subscription={subscription} onClose={onClose} onRemoved={onRemoved} />}
  </Dialog>
);
