import { Dialog } from "../../../components/dialog.tsx";
import { late } from "../../../lib/late.ts";
import { useWebhooks } from "../webhooks-store.ts";

const form = late(async () => (await import("./create-form.tsx")).CreateForm);

/** Makes a built-in receiver and subscribes it. */
export const CreateReceiverDialog = () => {
  const { making, setMaking } = useWebhooks();
  const close = () => setMaking(false);
  return (
    <Dialog opened={making} onClose={close} title="New receiver" size={520}>
      <form.Part onDone={close} />
    </Dialog>
  );
};
