import { useQuery } from "@tanstack/react-query";
import type { PlaceProps } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { useWorld } from "../../app/world.ts";
import { Split } from "../../components/split.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { Feed } from "./feed.tsx";
import { deliveryQuery } from "./queries.ts";
import { SubscribeDialog } from "./subscribe-dialog.tsx";
import { SubscriptionsPane } from "./subscriptions-pane.tsx";
import "./webhooks.css";
import { useWebhooks } from "./webhooks-store.ts";

/** Webhooks: subscriptions and the live feed left; a delivery with its tries, bytes and signature right. */
export const Place = ({ id, tab }: PlaceProps) => {
  const setSubscribing = useWebhooks((state) => state.setSubscribing);
  const { data: shown } = useQuery({ ...deliveryQuery(useWorld(), id ?? ""), enabled: id !== undefined });
  usePageTitle(id === undefined ? null : shown && `${shown.event_type} ${shown.label}`, "Webhooks");
  useKeys("Webhooks", [{ keys: ["n"], label: "Subscribe an address", run: () => setSubscribing(true) }]);
  return (
    <>
      <Split
        name="webhooks"
        label="Deliveries"
        initial={328}
        list={<Feed selected={id ?? null} />}
        detail={id === undefined ? <SubscriptionsPane /> : <DeliveryDetail key={id} id={id} chosenTry={tab} />}
      />
      <SubscribeDialog />
    </>
  );
};
