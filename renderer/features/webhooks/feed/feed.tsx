import { useCallback } from "react";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { useLiveList } from "../../../app/live/live-list.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { List } from "../../../components/list.tsx";
import { feedParams, pageParams, type Shown, useFeedFilter, usePageParams } from "../addresses.ts";
import { feedList, keyOfDelivery } from "../queries.ts";
import { EmptyFeed } from "./empty-feed.tsx";
import { FeedHead } from "./feed-head.tsx";
import { FeedRow } from "./feed-row.tsx";

/** Pages with a list of their own: the keys of lists are theirs then. */
const ownList: ReadonlySet<Shown["page"]> = new Set(["subscription", "sink", "receiver"]);
const render = (row: DeliveryRow) => <FeedRow row={row} />;

const Deliveries = ({ selected, primary }: { selected: string | null; primary: boolean }) => {
  const { filter } = useFeedFilter();
  const { show } = usePageParams().values;
  // Going through the deliveries keeps what is looked at beside each.
  const beside = pageParams.format(feedParams.format("", filter), { show });
  const hrefOf = useCallback((row: DeliveryRow) => hrefs.delivery(row.id) + beside, [beside]);
  return (
    <List
      of={useLiveList(feedList(useWorld(), filter))}
      label="Deliveries"
      what="the deliveries"
      empty={<EmptyFeed />}
      keyOf={keyOfDelivery}
      hrefOf={hrefOf}
      render={render}
      selected={selected}
      primary={primary}
    />
  );
};

/** The pages of the place and its subscriptions, over the live feed of deliveries. */
export const Feed = ({ shown }: { shown: Shown }) => (
  <>
    <FeedHead shown={shown.page} />
    <Deliveries selected={shown.page === "delivery" ? shown.id : null} primary={!ownList.has(shown.page)} />
  </>
);
