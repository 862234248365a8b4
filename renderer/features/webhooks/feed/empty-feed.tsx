import { IconFilter, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useWorld } from "../../../app/world.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { useFeedFilter } from "../addresses.ts";
import { useFeedCounts } from "../queries.ts";

/** Nothing was sent at all: because nothing happened, or because nobody was there to receive it. */
const NothingSent = () => {
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
        <LinkButton small href="/jobs">
          Open jobs
        </LinkButton>
      }
    >
      Save a job, place an order or confirm one: each sends its notifications here at once.
    </NothingYet>
  );
};

/** None failed for good. What was refused and is sent again is pending, which a person looks for here first. */
const NoneFailed = () => {
  const { filter, narrow, clear } = useFeedFilter();
  const pending = useFeedCounts(filter.subscription)?.pending ?? 0;
  if (pending === 0) {
    return (
      <NothingMatches what="None given up" onClear={clear}>
        What was sent is under All.
      </NothingMatches>
    );
  }
  return (
    <NothingYet
      icon={IconFilter}
      title="None given up"
      actions={
        <Button small onClick={() => narrow({ status: "pending" })}>
          See Pending
        </Button>
      }
    >
      {pending === 1 ? "1 is" : `${formatCount(pending)} are`} pending: an attempt that fails is made again, many times,
      before a delivery is given up.
    </NothingYet>
  );
};

/** Why the feed is empty, and where what one looks for is. */
export const EmptyFeed = () => {
  const { filter, clear } = useFeedFilter();
  const { status, subscription } = filter;
  if (status === "failed") return <NoneFailed />;
  if (status === "pending") {
    return (
      <NothingMatches what="No delivery is pending" onClear={clear}>
        What was sent is under All.
      </NothingMatches>
    );
  }
  if (subscription !== null) return <NothingMatches what="No delivery to this subscription" onClear={clear} />;
  return <NothingSent />;
};
