import { Box, EmptyState, Group } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { Link, useLocation } from "wouter";
import type { DeliveryRow, DeliveryStatus } from "../../../sandbox/contract/control/rows.ts";
import { type AttemptCause, attemptCauses } from "../../../sandbox/contract/control/words.ts";
import { shortId } from "../../../sandbox/contract/text.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { TextLink } from "../../components/link.tsx";
import { ListRow } from "../../components/list-row.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { Address } from "../../domain/delivery/address.tsx";
import { DeliveryState } from "../../domain/delivery/delivery-state.tsx";
import { type DeliveryFilter, deliveryParams } from "../../domain/delivery/filter.ts";
import { NextAttempt } from "../../domain/delivery/next-attempt.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { endedByRestore } from "../../domain/delivery/verdict.ts";
import { useFormAddress } from "../../kernel/addresses/form-address.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { type ListFilter, ListPlace, useListFilter } from "../../kernel/lists/list-place.tsx";
import { type LiveListQuery, useLiveList } from "../../kernel/lists/live-list.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { worldSummaryQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatClock, plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { addresses, pageParams, type Shown, useWebhookPageParams } from "./addresses.ts";
import { useDeliveriesEnabled, useHoldReason } from "./queries.ts";
import { HealthState, healths, subscriptionHealth } from "./subscriptions/health.tsx";
import styles from "./webhooks.module.css";

/** The filtered deliveries, newest first. */
export const feedList = (world: string, filter: DeliveryFilter): LiveListQuery<DeliveryRow> => {
  const { status, subscription, who, attempt, answered, from: attempted } = filter;
  const request = {
    ...(status === null ? {} : { status }),
    ...(subscription === null ? {} : { subscription_id: subscription }),
    ...(who === null ? {} : { integration_id: who }),
    ...(attempt === null ? {} : { attempt_cause: attempt }),
    ...(answered === null ? {} : { attempt_status: Number(answered) }),
    ...(attempted === null ? {} : { attempts_from: attempted }),
  };
  return {
    queryKey: worldKeys(world).deliveries("list", filter),
    read: (from, signal) => callControl("deliveries.list", { ...request, ...from, world }, { signal }),
    // A live row shows a failed attempt only by its number of attempts.
    fits: (row) =>
      (attempt === null || row.attempts_made > (row.status === "delivered" ? 1 : 0)) &&
      (status === null || status === row.status) &&
      (who === null || who === row.integration_id),
  };
};

/** Labels of causes of failed attempts. */
const causeLabels: Readonly<Record<AttemptCause, string>> = {
  receiver_unreachable: "Not reached",
  receiver_timed_out: "Timed out",
  receiver_refused: "Refused",
  receiver_incomplete: "Response incomplete",
  receiver_as_configured: "Failed as configured",
};

/** Filters that only an address can set: they can be removed, but not chosen. */
const narrowed = (
  of: "who" | "answered" | "from",
  title: string,
  id: string | null,
  name: string | null,
): readonly ListFilter<DeliveryFilter>[] =>
  id === null || name === null
    ? []
    : [{ of, title, all: `${title.toLowerCase()}s`, phrase: () => name, options: [{ id, name }] }];

/** Filters of deliveries, with the numbers of pending and failed ones. */
const useFeedFilters = ({ subscription, who, answered, from }: DeliveryFilter) => {
  const world = useWorld();
  const { data = [] } = useQuery(subscriptionsQuery(world));
  const counts = useQuery({
    ...worldSummaryQuery(world),
    select: ({ deliveries, subscriptions }): Readonly<Record<DeliveryStatus, number>> | undefined =>
      subscription === null ? deliveries : subscriptions.find(({ id }) => id === subscription),
  }).data;
  const to = data.map(({ id, scope, organization_name, url }) => {
    const name = organization_name || "unknown organization";
    const shown = (
      <Group component="span" key={id}>
        <SideGlyph side={scope} labelled />
        <span>{name}</span>
        <Address url={url} />
      </Group>
    );
    return { id, name: `${name}, ${url}`, shown, chip: shown };
  });
  const filters: readonly ListFilter<DeliveryFilter>[] = [
    {
      ...{ of: "status", title: "Status", all: "statuses", open: "Which deliveries" },
      phrase: (name) => `is ${name.toLowerCase()}`,
      options: [
        { id: "pending", name: "Pending", count: counts?.pending },
        { id: "failed", name: "Failed", count: counts?.failed },
      ],
    },
    {
      ...{ of: "subscription", title: "Subscription", all: "subscriptions" },
      phrase: () => "to this subscription",
      options:
        subscription === null || to.some(({ id }) => id === subscription)
          ? to
          : [...to, { id: subscription, name: "deleted subscription" }],
    },
    {
      ...{ of: "attempt", title: "Failed attempt", all: "attempts" },
      phrase: (name) => `with an attempt that ${name.toLowerCase()}`,
      options: attemptCauses.map((cause) => ({ id: cause, name: causeLabels[cause] })),
    },
    ...narrowed("who", "Integration", who, who && `to ${shortId(who)}`),
    ...narrowed("answered", "Response", answered, answered && `attempts answered ${answered}`),
    ...narrowed("from", "Attempts", from, from && `attempts since ${formatClock(from).slice(0, 5)}`),
  ];
  return { filters, pending: counts?.pending ?? 0 };
};

const pages = [
  { page: "subscriptions", href: addresses.subscriptions, name: "Subscriptions" },
  { page: "lab", href: addresses.lab, name: "Lab" },
] as const;

const PlaceNav = ({ shown }: { shown: Shown["page"] }) => {
  const [, navigate] = useLocation();
  useKeys(
    "Webhooks",
    pages.map(({ href, name }, index) => ({ keys: [String(index + 1)], label: name, run: () => navigate(href) })),
  );
  return (
    <Group component="nav" gap="md" fz="sm" lh="sm" aria-label="Pages of Webhooks">
      {pages.map(({ page, href, name }) => (
        <Link
          key={href}
          href={href}
          className="lnk"
          style={{ fontWeight: page === shown ? 600 : undefined }}
          aria-current={page === shown ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </Group>
  );
};

/** More are one click away. */
const MAX_LINES = 3;

/** The subscriptions with the most urgent problems, one line each, linked to their pages. */
const SubscriptionLines = () => {
  const { data = [] } = useQuery(subscriptionsQuery(useWorld()));
  if (data.length === 0) return null;
  const lines = data
    .toSorted((one, other) => healths.indexOf(subscriptionHealth(one)) - healths.indexOf(subscriptionHealth(other)))
    .slice(0, MAX_LINES);
  return (
    <div className={styles.lines}>
      <ul aria-label="Subscriptions">
        {lines.map((one) => (
          <li key={one.id}>
            <Link
              href={hrefs.subscription(one.id)}
              className="hov li-line"
              title={`${one.url}, for ${one.organization_name || one.integration_id}`}
            >
              <span className="li-title">
                <SideGlyph side={one.scope} labelled />
                <Address url={one.url} brief />
              </span>
              <HealthState subscription={one} />
            </Link>
          </li>
        ))}
      </ul>
      {data.length > MAX_LINES && (
        <Box fz="sm" lh="sm" pt={2} pr={0} pb={0} pl={20}>
          <TextLink href={addresses.subscriptions}>All {plural(data.length, "subscription")}</TextLink>
        </Box>
      )}
    </div>
  );
};

/** Time of the next attempt in one unit, because the address needs the space. */
const Next = ({ row: { next_attempt_at: at, subscription_id } }: { row: DeliveryRow }) => {
  const sends = useDeliveriesEnabled();
  const held = useHoldReason(subscription_id);
  if (!sends) return "not sent";
  if (held) return held;
  if (at === null) return "due now";
  return (
    <>
      <span className="sr">next </span>
      <NextAttempt at={at} short />
    </>
  );
};

/** The number of attempts, if more than one. */
const attemptCount = (row: DeliveryRow): string | null => {
  const { status, attempts_made } = row;
  if (status === "failed") return endedByRestore(row) ? null : `after ${plural(attempts_made, "attempt")}`;
  return status === "delivered" && attempts_made > 1 ? `attempt ${attempts_made}` : null;
};

/** A delivery in the feed: event, record, receiver, state, and its creation or next attempt. */
export const deliveryRow = (row: DeliveryRow) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="op">{row.event_type}</span>
        <span data-variant="dim" aria-hidden="true">
          →
        </span>
        <span className="sr">to</span>
        <Address url={row.url} brief />
      </>
    }
    aside={row.status === "pending" ? <Next row={row} /> : <Time at={row.created_at} as="clock" on="real" />}
    detail={
      <span style={{ paddingLeft: 18 }} title={`${row.label}: ${row.announces}`}>
        {row.label}{" "}
        <span data-variant="mono" style={{ color: "var(--text-3)" }}>
          {row.announces}
        </span>
        {row.repeats_id !== null && (
          <span data-variant="dim" title="Sent again from an earlier delivery, with the same message_id">
            {" "}
            · sent again
          </span>
        )}
      </span>
    }
    state={
      <>
        <span data-variant="dim">{attemptCount(row)}</span>
        <DeliveryState of={row} />
      </>
    }
  />
);

/** The empty feed: no events, or no subscriptions. */
const NothingSent = () => {
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  if (!subscriptions) return null;
  const nobody = subscriptions.length === 0;
  return (
    <EmptyState
      icon={<IconWebhook />}
      title="Nothing sent yet"
      description={
        nobody
          ? "Events are sent only to subscriptions that exist when they happen. Subscribe first, then change a job or an order."
          : "Save a job, or place or confirm an order. Its deliveries appear here."
      }
    >
      {!nobody && (
        <LinkButton small href="/jobs">
          Open jobs
        </LinkButton>
      )}
    </EmptyState>
  );
};

/** Rejected notifications that are retried are pending, but a person looks for them among failed ones first. */
const emptyText = ({ status, attempt, who }: DeliveryFilter, pending: number): readonly [string, string?] => {
  if (attempt !== null) return ["No deliveries with such an attempt", "Remove a filter to see more."];
  if (status === null)
    return [who === null ? "No deliveries to this subscription" : "No deliveries to this integration"];
  const isPending = status === "failed" && pending > 0;
  return [
    status === "failed" ? "No failed deliveries" : "No pending deliveries",
    isPending
      ? `${plural(pending, "delivery", "deliveries")} pending. A delivery fails after its last attempt.`
      : "Select All to see every delivery.",
  ];
};

/** The live feed of deliveries, below the place's pages and subscriptions. */
export const Feed = ({ shown }: { shown: Shown }) => {
  const state = useListFilter(deliveryParams, "webhooks");
  const { filter, query } = state;
  const { filters, pending } = useFeedFilters(filter);
  const { show } = useWebhookPageParams().values;
  const sends = useDeliveriesEnabled();
  const form = useFormAddress("subscribe");
  // Moving through the deliveries keeps the panel beside each.
  const beside = pageParams.format(query, { show });
  const hrefOf = useCallback((row: DeliveryRow) => hrefs.delivery(row.id) + beside, [beside]);
  return (
    <ListPlace
      of={useLiveList(feedList(useWorld(), filter))}
      title="Webhooks"
      label="Deliveries"
      nouns={["delivery", "deliveries"]}
      isCounted={false}
      state={state}
      filters={filters}
      actions={
        <Button small needs="act" icon={IconPlus} onClick={form.open}>
          Subscribe
        </Button>
      }
      above={
        <>
          <PlaceNav shown={shown.page} />
          <SubscriptionLines />
          {!sends && (
            <State of="skipped" title="The service was started with --deliveries off">
              deliveries are off: nothing is sent
            </State>
          )}
        </>
      }
      empty={<NothingSent />}
      none={emptyText(filter, pending)}
      hrefOf={hrefOf}
      render={deliveryRow}
      selected={shown.page === "delivery" ? shown.id : null}
    />
  );
};
