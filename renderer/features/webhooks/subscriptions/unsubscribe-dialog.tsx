import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useUnsubscribe } from "../mutations.ts";

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
          ? `${plural(subscription.pending, "delivery", "deliveries")} still waiting will end with it: what was tried stays in the feed as failed, what never was leaves it.`
          : "Nothing is waiting for it."}{" "}
        What was delivered or failed stays in the feed.
      </p>
      {unsubscribe.error instanceof ServiceFailure && (
        <div className="webhooks-refused">
          <Refusal failure={unsubscribe.error} />
        </div>
      )}
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
