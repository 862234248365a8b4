import type { QueryClient } from "@tanstack/react-query";
import { Dialog } from "../../components/dialog.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { deliveryParams } from "../../domain/delivery/filter.ts";
import { deliveryQuery, subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { useFormAddress } from "../../kernel/addresses/form-address.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { pagesOf } from "../../kernel/lists/live-list.ts";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { late } from "../../lib/late.ts";
import { readInitialFilter } from "../../lib/search-params.ts";
import { parseShown, type Shown } from "./addresses.ts";
import { DeliveryDetail } from "./delivery/delivery-detail.tsx";
import { scorecardQuery } from "./drills/run-drills.ts";
import { Feed, feedList } from "./feed.tsx";
import { receivedQuery, receiversQuery } from "./queries.ts";
import { SubscriptionPage } from "./subscriptions/subscription-page.tsx";
import { SubscriptionsPane } from "./subscriptions/subscriptions-pane.tsx";

// Loaded on demand, because the delivery feed doesn't need them.
const SubscribeForm = late(async () => (await import("./late.ts")).SubscribeForm).Part;
const ReceiverPage = late(async () => (await import("./late.ts")).ReceiverPage).Part;
const Lab = late(async () => (await import("./lab/lab-page.tsx")).LabPage).Part;

const Page = ({ shown }: { shown: Shown }) => {
  if (shown.page === "delivery") return <DeliveryDetail key={shown.id} id={shown.id} chosen={shown.attempt} />;
  if (shown.page === "lab") return <Lab />;
  if (shown.page === "receivers") return <ReceiverPage key={shown.id} id={shown.id ?? ""} />;
  return shown.id ? <SubscriptionPage key={shown.id} id={shown.id} /> : <SubscriptionsPane />;
};

/**
 * The place Webhooks: the live feed on the left. On the right a delivery with attempts, bytes and signature, a
 * subscription with its scorecard, a built-in receiver with its receipts, or the signature lab.
 */
export const Place = ({ id, tab }: PlaceProps) => {
  const shown = parseShown(id, tab);
  const form = useFormAddress("subscribe");
  useKeys("Webhooks", [{ keys: ["n"], label: "Subscribe a URL", needs: "act", run: form.open }]);
  return (
    <>
      <ListBesideDetail
        name="webhooks"
        label="Deliveries"
        initial={368}
        rest="Subscriptions"
        list={<Feed shown={shown} />}
        detail={<Page shown={shown} />}
      />
      <Dialog opened={form.opened} onClose={form.close} title="Subscribe" size={520} isInAddress>
        <SubscribeForm onDone={form.close} />
      </Dialog>
    </>
  );
};

/** Loads the open item: a delivery, a receiver with its receipts, or a subscription with its drills. */
const readOpen = (client: QueryClient, world: string, shown: Shown) => {
  if (shown.page === "delivery") return [client.prefetchQuery(deliveryQuery(world, shown.id))];
  if (shown.page === "lab" || shown.id === undefined) return [];
  const receivers = client.prefetchQuery(receiversQuery(world));
  if (shown.page === "receivers") return [receivers, client.prefetchQuery(receivedQuery(world, shown.id))];
  return [receivers, client.prefetchQuery(scorecardQuery(world, shown.id))];
};

/** Loads the list and the open item before the page is drawn. */
export const prefetch = (client: QueryClient, world: string, { id, tab }: PlaceProps) => [
  client.prefetchInfiniteQuery(pagesOf(feedList(world, readInitialFilter(deliveryParams, "webhooks")))),
  client.prefetchQuery(subscriptionsQuery(world)),
  ...readOpen(client, world, parseShown(id, tab)),
];
