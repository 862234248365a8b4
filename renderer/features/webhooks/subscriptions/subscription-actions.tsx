import { IconPlayerPause, IconPlayerPlay, IconWebhook } from "@tabler/icons-react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { Button, IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { announce } from "../../../lib/announce.ts";
import { late } from "../../../lib/late.ts";
import { sinkUrl, usePause, useSubscribe } from "../mutations.ts";

const confirmation = late(async () => (await import("./unsubscribe.tsx")).Confirmation);

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
    {subscription && <confirmation.Part subscription={subscription} onClose={onClose} onRemoved={onRemoved} />}
  </Dialog>
);
