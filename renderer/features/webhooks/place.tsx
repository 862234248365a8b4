import type { PlaceProps } from "../../app/places.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Split } from "../../components/split.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { type Shown, shownAt } from "./addresses.ts";
import { DeliveryDetail } from "./delivery/delivery-detail.tsx";
import { Feed } from "./feed.tsx";
import { ReceiverForm, SubscribeForm } from "./forms.tsx";
import { LabPage } from "./lab/lab-page.tsx";
import { ReceiverPage } from "./receivers/receiver-page.tsx";
import { ReceiversPage } from "./receivers/receivers-page.tsx";
import { SinkPage } from "./sink/sink-page.tsx";
import { SubscriptionPage } from "./subscriptions/subscription-page.tsx";
import { SubscriptionsPane } from "./subscriptions/subscriptions-pane.tsx";
import { openForm, useOpenForm } from "./webhooks-store.ts";

const forms = [
  ["subscribe", "Subscribe", SubscribeForm],
  ["receiver", "New receiver", ReceiverForm],
] as const;

const Dialogs = () => {
  const form = useOpenForm();
  const close = () => openForm(null);
  return forms.map(([name, title, Form]) => (
    <Dialog key={name} opened={form === name} onClose={close} title={title} size={520}>
      <Form onDone={close} />
    </Dialog>
  ));
};

const Page = ({ shown }: { shown: Shown }) => {
  switch (shown.page) {
    case "subscriptions":
      return shown.id ? <SubscriptionPage key={shown.id} id={shown.id} /> : <SubscriptionsPane />;
    case "receivers":
      return shown.id ? <ReceiverPage key={shown.id} id={shown.id} /> : <ReceiversPage />;
    case "sink":
      return <SinkPage selected={shown.id ?? null} />;
    case "lab":
      return <LabPage />;
    default:
      return <DeliveryDetail key={shown.id} id={shown.id} chosen={shown.attempt} />;
  }
};

/**
 * Webhooks: the live feed left; right a delivery with its attempts, bytes and signature, a subscription with its
 * scorecard, the service's own receivers and what they took, or the signature lab.
 */
export const Place = ({ id, tab }: PlaceProps) => {
  const shown = shownAt(id, tab);
  useKeys("Webhooks", [{ keys: ["n"], label: "Subscribe an address", run: () => openForm("subscribe") }]);
  return (
    <>
      <Split
        name="webhooks"
        label="Deliveries"
        initial={368}
        rest="Subscriptions"
        list={<Feed shown={shown} />}
        detail={<Page shown={shown} />}
      />
      <Dialogs />
    </>
  );
};
