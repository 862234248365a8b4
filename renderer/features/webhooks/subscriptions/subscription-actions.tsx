import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { IconButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { late } from "../../../lib/late.ts";
import { usePause } from "../mutations.ts";

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
