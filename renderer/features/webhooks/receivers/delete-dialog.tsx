import type { Receiver } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { announce } from "../../../lib/announce.ts";
import { plural } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useReceiverMutations } from "./receiver-queries.ts";

/** Asks before a receiver ends, and says what ends with it. */
export const DeleteReceiverDialog = ({
  receiver,
  open,
  onClose,
  onDeleted,
}: {
  receiver: Receiver;
  open: boolean;
  onClose: () => void;
  onDeleted: () => void;
}) => {
  const { remove } = useReceiverMutations();
  const end = async () => {
    try {
      await remove.mutateAsync(receiver.id);
    } catch {
      // Shown in the dialog.
      return;
    }
    // Whether this is still there or not: the feed may have told of the end before the answer came.
    announce("Receiver deleted");
    onDeleted();
  };
  return (
    <Dialog opened={open} onClose={onClose} title="Delete this receiver?" size={480}>
      <div className="webhooks-form">
        <p>
          Its subscription ends with it, what still waits for it, and the list of what it received
          {receiver.received > 0 && ` (${plural(receiver.received, "entry", "entries")})`}.
        </p>
        <p className="t12 t2">What was delivered to it, tried or given up stays in the feed.</p>
        {remove.error instanceof ServiceFailure && (
          <div className="webhooks-refused">
            <Refusal failure={remove.error} />
          </div>
        )}
        <div className="row webhooks-form-end">
          <span className="grow" />
          <Button look="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" busy={remove.isPending} onClick={() => void end()}>
            Delete receiver
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
