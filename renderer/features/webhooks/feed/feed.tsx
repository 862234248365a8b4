import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo } from "react";
import { useSearch } from "wouter";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { Failing } from "../../../components/failing.tsx";
import { Loading } from "../../../components/loading.tsx";
import { ListHead } from "../../../components/split.tsx";
import { State } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { VirtualList } from "../../../components/virtual-list.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { asideIn, asideQuery, type Shown } from "../addresses.ts";
import {
  feedCountsQuery,
  feedQuery,
  keyOfDelivery,
  type StatusFilter,
  subscriptionsQuery,
  useSends,
} from "../queries.ts";
import { useWebhooks } from "../webhooks-store.ts";
import { FeedRow } from "./feed-row.tsx";
import { PlaceNav } from "./place-nav.tsx";
import { SubscriptionLines } from "./subscription-lines.tsx";

/** Pages with a list of their own: the keys of lists are theirs then. */
const ownList: ReadonlySet<Shown["page"]> = new Set(["subscription", "sink", "receiver"]);
const render = (row: DeliveryRow) => <FeedRow row={row} />;

const counted = (word: string, count: number | undefined) => (
  <>
    {word}
    {count !== undefined && count > 0 && <span className="n">{formatCount(count)}</span>}
  </>
);

const FeedHead = ({ shown }: { shown: Shown["page"] }) => {
  const { status, integrationId, filterStatus, setSubscribing } = useWebhooks();
  const { data: counts } = useQuery(feedCountsQuery(useWorld(), integrationId));
  const sends = useSends();
  const options: ReadonlyArray<{ value: StatusFilter; label: ReactNode }> = [
    { value: "all", label: "All" },
    { value: "pending", label: counted("Pending", counts?.pending) },
    { value: "failed", label: counted("Failed", counts?.failed) },
  ];
  return (
    <ListHead
      title="Webhooks"
      actions={
        <Button small icon={IconPlus} onClick={() => setSubscribing(true)}>
          Subscribe
        </Button>
      }
    >
      <PlaceNav shown={shown} />
      <SubscriptionLines />
      {!sends && (
        <State of="skipped" title="The service was started with --deliveries off">
          deliveries are off: nothing is sent
        </State>
      )}
      <Segmented label="Which deliveries" options={options} value={status} onChange={filterStatus} />
    </ListHead>
  );
};

/** Nothing in the feed: because nothing happened, or because nobody was there to receive it. */
const EmptyFeed = () => {
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  if (!subscriptions) return null;
  if (subscriptions.length === 0) {
    return (
      <NothingYet icon={IconWebhook} title="Nothing sent yet">
        An event goes to whoever is subscribed when it happens. Subscribe first, then change a job or an order.
      </NothingYet>
    );
  }
  return (
    <NothingYet
      icon={IconWebhook}
      title="Nothing sent yet"
      actions={
        hasPlace("jobs") ? (
          <LinkButton small href="/jobs">
            Open jobs
          </LinkButton>
        ) : undefined
      }
    >
      Save a job, place an order or confirm one: each sends its notifications here at once.
    </NothingYet>
  );
};

const Deliveries = ({ selected, primary }: { selected: string | null; primary: boolean }) => {
  const { status, integrationId, clearFilter } = useWebhooks();
  const aside = asideIn(useSearch());
  // Going through the deliveries keeps what is looked at beside each.
  const hrefOf = useCallback((row: DeliveryRow) => hrefs.delivery(row.id) + asideQuery(aside), [aside]);
  const { data, error, isPending, refetch, fetchNextPage } = useInfiniteQuery(
    feedQuery(useWorld(), { status, integrationId }),
  );
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const onEndReached = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (isPending) return <Loading what="deliveries" rows={8} />;
  if (error) return <Failing what="The deliveries" error={error} onRetry={() => void refetch()} />;
  if (items.length === 0) {
    if (status === "all" && integrationId === null) return <EmptyFeed />;
    const what = status === "all" ? "No delivery to this integration" : `No delivery is ${status}`;
    return (
      <NothingMatches what={what} onClear={clearFilter}>
        {status === "all" ? undefined : "What was sent is under All."}
      </NothingMatches>
    );
  }
  return (
    <VirtualList
      label="Deliveries"
      items={items}
      keyOf={keyOfDelivery}
      hrefOf={hrefOf}
      render={render}
      selected={selected}
      primary={primary}
      filter={`${status} ${integrationId ?? ""}`}
      {...(data?.pages[0] ? { total: data.pages[0].total } : {})}
      onEndReached={onEndReached}
    />
  );
};

/** The pages of the place and its subscriptions, over the live feed of deliveries. */
export const Feed = ({ shown }: { shown: Shown }) => (
  <>
    <FeedHead shown={shown.page} />
    <div className="list-body">
      <Deliveries selected={shown.page === "delivery" ? shown.id : null} primary={!ownList.has(shown.page)} />
    </div>
  </>
);
