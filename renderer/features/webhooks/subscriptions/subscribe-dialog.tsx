import { Dialog } from "../../../components/dialog.tsx";
import { late } from "../../../lib/late.ts";
import { useWebhooks } from "../webhooks-store.ts";

const form = late(async () => (await import("./subscribe-form.tsx")).SubscribeForm);

/** Registers an address for an integration's notifications. */
export const SubscribeDialog = () => {
  const { subscribing, setSubscribing } = useWebhooks();
  const close = () => setSubscribing(false);
  return (
    <Dialog
      opened={subscribing}
      onClose={close}
      title="Subscribe"
      size={520}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form.Part onDone={close} />
    </Dialog>
  );
};
