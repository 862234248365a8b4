import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { Link, useLocation } from "wouter";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { useLiveList } from "../../../app/live/live-list.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { List } from "../../../components/list.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { ListHead } from "../../../components/split.tsx";
import { State } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { DeliveryState } from "../../../domain/delivery/delivery-state.tsx";
import { NextAttempt } from "../../../domain/delivery/next-attempt.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { endedByRestore } from "../../../domain/delivery/verdict.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { addresses, feedParams, pageParams, type Shown, useFeedFilter, usePageParams } from "../addresses.ts";
import { keyOf } from "../parts.tsx";
import { feedList, useFeedCounts, usePaused, useSends } from "../queries.ts";
import shared from "../webhooks.module.css";
import { openForm } from "../webhooks-store.ts";
import { ShortAddress } from "../where-to.tsx";
import { FeedFilterMenu } from "./feed-filter.tsx";
import { SubscriptionLines } from "./subscription-lines.tsx";

const pages = [
  { page: "subscriptions", href: addresses.subscriptions, name: "Subscriptions" },
  { page: "receivers", href: addresses.receivers, name: "Receivers" },
  { page: "sink", href: addresses.sink(), name: "Test receiver" },
  { page: "lab", href: addresses.lab, name: "Lab" },
] as const;

const PlaceNav = ({ shown }: { shown: Shown["page"] }) => {
  const [, navigate] = useLocation();
  useKeys(
    "Webhooks",
    pages.map(({ href, name }, index) => ({ keys: [String(index + 1)], label: name, run: () => navigate(href) })),
  );
  return (
    <nav className={shared.nav} aria-label="Pages of Webhooks">
      {pages.map(({ page, href, name }) => (
        <Link key={href} href={href} aria-current={page === shown ? "page" : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
};

/** Over the feed: the pages of the place, its subscriptions, and which deliveries are shown. */
const FeedHead = ({ shown }: { shown: Shown }) => {
  const { filter, narrow } = useFeedFilter();
  const counts = useFeedCounts(filter.subscription);
  const sends = useSends();
  return (
    <ListHead
      title="Webhooks"
      actions={
        <Button small icon={IconPlus} onClick={() => openForm("subscribe")}>
          Subscribe
        </Button>
      }
    >
      <PlaceNav shown={shown.page} />
      <SubscriptionLines opened={shown.page === "subscriptions" ? shown.id : undefined} />
      {!sends && (
        <State of="skipped" title="The service was started with --deliveries off">
          deliveries are off: nothing is sent
        </State>
      )}
      <div className="row">
        <Segmented
          label="Which deliveries"
          options={[
            { value: "all", label: "All" },
            { value: "pending", label: "Pending", count: counts?.pending },
            { value: "failed", label: "Given up", count: counts?.failed },
          ]}
          value={filter.status}
          onChange={(status) => narrow({ status })}
        />
        <span className="grow" />
        <FeedFilterMenu />
      </div>
    </ListHead>
  );
};

/** When what waits is sent next, in one unit: the address needs the room. */
const Next = ({ row: { next_attempt_at: at, subscription_id } }: { row: DeliveryRow }) => {
  const sends = useSends();
  const paused = usePaused(subscription_id);
  if (!sends) return "not sent";
  if (paused) return "paused";
  if (at === null) return "due now";
  return (
    <>
      <span className="sr">next </span>
      <NextAttempt at={at} short />
    </>
  );
};

/** How many attempts it took. That it took one is what one expects; the room goes to what it announces. */
const attemptsOf = (row: DeliveryRow): string | null => {
  const { status, attempts_made } = row;
  if (status === "failed") return endedByRestore(row) ? null : `after ${plural(attempts_made, "attempt")}`;
  return status === "delivered" && attempts_made > 1 ? `attempt ${attempts_made}` : null;
};

/** A delivery in the feed: what it announces about what, to whom, and how it stands; when it was made, or is sent next. */
const FeedRow = ({ row }: { row: DeliveryRow }) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="op">{row.event_type}</span>
        <span className="t3" aria-hidden="true">
          →
        </span>
        <span className="sr">to</span>
        <ShortAddress url={row.url} />
      </>
    }
    aside={row.status === "pending" ? <Next row={row} /> : <Time at={row.created_at} as="clock" on="real" />}
    detail={
      <span className={shared.about} title={`${row.label}: ${row.announces}`}>
        {row.label} <span className="m11 t3">{row.announces}</span>
        {row.repeats_id !== null && (
          <span className="t3" title="Sent again from an earlier delivery, with the same message_id">
            {" "}
            · resent
          </span>
        )}
      </span>
    }
    state={
      <>
        <span className="t3">{attemptsOf(row)}</span>
        <DeliveryState of={row} />
      </>
    }
  />
);

/** Nothing was sent at all: because nothing happened, or because nobody was there to receive it. */
const NothingSent = () => {
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  if (!subscriptions) return null;
  const nobody = subscriptions.length === 0;
  return (
    <NothingYet icon={IconWebhook} title="Nothing sent yet" link={nobody ? undefined : ["/jobs", "Open jobs"]}>
      {nobody
        ? "Events are sent only to subscriptions that exist when they happen. Subscribe first, then change a job or an order."
        : "Save a job, place an order or confirm one: each sends its notifications here at once."}
    </NothingYet>
  );
};

/** Why the feed is empty, and where what one looks for is. */
const EmptyFeed = () => {
  const { filter, clear } = useFeedFilter();
  const { status, subscription } = filter;
  const pending = useFeedCounts(subscription)?.pending ?? 0;
  if (status !== "all")
    return (
      <NothingMatches what={status === "failed" ? "None given up" : "No delivery is pending"} onClear={clear}>
        {/* What was refused and is sent again is pending, which a person looks for among the failed first. */}
        {status === "failed" && pending > 0
          ? `${pending === 1 ? "1 is" : `${formatCount(pending)} are`} pending: an attempt that fails is made again, many times, before a delivery is given up.`
          : "What was sent is under All."}
      </NothingMatches>
    );
  if (subscription !== null) return <NothingMatches what="No delivery to this subscription" onClear={clear} />;
  return <NothingSent />;
};

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
      keyOf={keyOf}
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
    <FeedHead shown={shown} />
    <Deliveries
      selected={shown.page === "delivery" ? shown.id : null}
      // On pages with a list of their own the keys of lists are theirs.
      primary={shown.page !== "sink" && (shown.page === "delivery" || !shown.id)}
    />
  </>
);
