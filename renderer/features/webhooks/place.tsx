import { Boundary } from "../../app/boundary.tsx";
import type { PlaceProps } from "../../app/places.ts";
import { Split } from "../../components/split.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { type Shown, shownAt } from "./addresses.ts";
import { DeliveryDetail } from "./delivery/delivery-detail.tsx";
import { Feed } from "./feed/feed.tsx";
import { LabPage } from "./lab/lab-page.tsx";
import { CreateReceiverDialog } from "./receivers/create-dialog.tsx";
import { ReceiverPage } from "./receivers/receiver-page.tsx";
import { ReceiversPage } from "./receivers/receivers-page.tsx";
import { SinkPage } from "./sink/sink-page.tsx";
import { SubscribeDialog } from "./subscriptions/subscribe-dialog.tsx";
import { SubscriptionPage } from "./subscriptions/subscription-page.tsx";
import { SubscriptionsPane } from "./subscriptions/subscriptions-pane.tsx";
import "./webhooks.css";
import { useWebhooks } from "./webhooks-store.ts";

const Page = ({ shown }: { shown: Shown }) => {
  switch (shown.page) {
    case "subscriptions":
      return <SubscriptionsPane />;
    case "subscription":
      return <SubscriptionPage key={shown.id} id={shown.id} />;
    case "receivers":
      return <ReceiversPage />;
    case "receiver":
      return <ReceiverPage key={shown.id} id={shown.id} />;
    case "sink":
      return <SinkPage selected={shown.receipt} />;
    case "lab":
      return <LabPage />;
    default:
      return <DeliveryDetail key={shown.id} id={shown.id} chosenTry={shown.attempt} />;
  }
};

/**
 * Webhooks: the live feed left; right a delivery with its tries, bytes and signature, a subscription with its
 * scorecard, the service's own receivers and what they took, or the signature lab.
 */
export const Place = ({ id, tab }: PlaceProps) => {
  const setSubscribing = useWebhooks((state) => state.setSubscribing);
  const shown = shownAt(id, tab);
  useKeys("Webhooks", [{ keys: ["n"], label: "Subscribe an address", run: () => setSubscribing(true) }]);
  return (
    <>
      <Split
        name="webhooks"
        label="Deliveries"
        initial={344}
        rest="Subscriptions"
        list={
          <Boundary title="Deliveries">
            <Feed shown={shown} />
          </Boundary>
        }
        detail={
          <Boundary title="What is open">
            <Page shown={shown} />
          </Boundary>
        }
      />
      <SubscribeDialog />
      <CreateReceiverDialog />
    </>
  );
};
