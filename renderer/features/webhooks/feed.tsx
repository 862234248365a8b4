import { IconPlus, IconSettings, IconWebhook } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo } from "react";
import type { DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { hasPlace, hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { Loading } from "../../components/loading.tsx";
import { ListHead } from "../../components/split.tsx";
import { State } from "../../components/state.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { formatCount } from "../../lib/formatting.ts";
import { FeedRow } from "./feed-row.tsx";
import {
  feedCountsQuery,
  feedQuery,
  keyOfDelivery,
  type StatusFilter,
  subscriptionsQuery,
  useSends,
} from "./queries.ts";
import { SubscriptionLines } from "./subscription-lines.tsx";
import { useWebhooks } from "./webhooks-store.ts";

const hrefOf = (row: DeliveryRow) => hrefs.delivery(row.id);
const render = (row: DeliveryRow) => <FeedRow row={row} />;

const counted = (word: string, count: number | undefined) => (
  <>
    {word}
    {count !== undefined && count > 0 && <span className="n">{formatCount(count)}</span>}
  </>
);

const FeedHead = () => {
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
        <>
          <LinkButton small look="quiet" icon={IconSettings} href="/webhooks" title="All subscriptions">
            Manage
          </LinkButton>
          <Button small icon={IconPlus} onClick={() => setSubscribing(true)}>
            Subscribe
          </Button>
        </>
      }
    >
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

const Deliveries = ({ selected }: { selected: string | null }) => {
  const { status, integrationId, clearFilter } = useWebhooks();
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
      filter={`${status} ${integrationId ?? ""}`}
      {...(data?.pages[0] ? { total: data.pages[0].total } : {})}
      onEndReached={onEndReached}
    />
  );
};

/** The live feed of deliveries under the subscriptions they go to. */
export const Feed = ({ selected }: { selected: string | null }) => (
  <>
    <FeedHead />
    <div className="list-body">
      <Deliveries selected={selected} />
    </div>
  </>
);
