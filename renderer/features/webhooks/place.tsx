import type { PlaceProps } from "../../app/places.ts";
import { Dialog } from "../../components/dialog.tsx";
import { loading } from "../../components/loading.tsx";
import { Split } from "../../components/split.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { late } from "../../lib/late.ts";
import { type Shown, shownAt } from "./addresses.ts";
import { Feed } from "./feed/feed.tsx";
import { SubscriptionsPane } from "./subscriptions/subscriptions-pane.tsx";
import { openForm, useWebhooks } from "./webhooks-store.ts";

const forms = [
  ["subscribe", "Subscribe", late(async () => (await import("./forms.tsx")).SubscribeForm)],
  ["receiver", "New receiver", late(async () => (await import("./forms.tsx")).ReceiverForm)],
] as const;

const Dialogs = () => {
  const form = useWebhooks((state) => state.form);
  const close = () => openForm(null);
  return forms.map(([name, title, { Part }]) => (
    <Dialog key={name} opened={form === name} onClose={close} title={title} size={520}>
      <Part onDone={close} />
    </Dialog>
  ));
};

const Coming = loading("what was chosen", 6);

const subscription = late(async () => (await import("./subscriptions/subscription-page.tsx")).SubscriptionPage, Coming);
const receivers = late(async () => (await import("./receivers/receivers-page.tsx")).ReceiversPage, Coming);
const receiver = late(async () => (await import("./receivers/receiver-page.tsx")).ReceiverPage, Coming);
const sink = late(async () => (await import("./sink/sink-page.tsx")).SinkPage, Coming);
const lab = late(async () => (await import("./lab/lab-page.tsx")).LabPage, Coming);
const delivery = late(async () => (await import("./delivery/delivery-detail.tsx")).DeliveryDetail, Coming);

const Page = ({ shown }: { shown: Shown }) => {
  switch (shown.page) {
    case "subscriptions":
      return shown.id ? <subscription.Part key={shown.id} id={shown.id} /> : <SubscriptionsPane />;
    case "receivers":
      return shown.id ? <receiver.Part key={shown.id} id={shown.id} /> : <receivers.Part />;
    case "sink":
      return <sink.Part selected={shown.id ?? null} />;
    case "lab":
      return <lab.Part />;
    default:
      return <delivery.Part key={shown.id} id={shown.id} chosen={shown.attempt} />;
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
