import { Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { plural } from "../../../lib/formatting.ts";
import { withQuery } from "../../../lib/search-params.ts";
import { feedParams, useFeedFilter } from "../addresses.ts";
import { type Faring, HealthState, healthOf, healths } from "../subscriptions/health.tsx";
import shared from "../webhooks.module.css";
import { ShortAddress } from "../where-to.tsx";

/** More than these are one click away. */
const MOST_LINES = 3;

/** The ones that need a look most, and the chosen one, in the order they subscribed: no line passes another. */
export const linesOf = <T extends Faring & { readonly id: string }>(all: readonly T[], chosen: string | null): T[] => {
  const rank = (one: T) => (one.id === chosen ? -1 : healths.indexOf(healthOf(one)));
  const shown = new Set(all.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_LINES));
  return all.filter((one) => shown.has(one));
};

/**
 * The subscriptions in a few lines; one pressed narrows the feed to what it was sent. Where the page of a subscription
 * is open, it opens the one that was pressed: what is beside the feed is never of another.
 */
export const SubscriptionLines = ({ opened }: { opened: string | undefined }) => {
  const { data } = useQuery(subscriptionsQuery(useWorld()));
  const { filter, narrow } = useFeedFilter();
  const [, navigate] = useLocation();
  // While somebody points at the lines, or is among them with the keyboard, they are these.
  const [held, setHeld] = useState<ReadonlySet<string> | null>(null);
  if (!data || data.length === 0) return null;
  const lines = held ? data.filter(({ id }) => held.has(id)) : linesOf(data, filter.subscription);
  const hold = () => setHeld((before) => before ?? new Set(lines.map(({ id }) => id)));
  const release = () => setHeld(null);
  const choose = (id: string) => {
    if (opened === undefined || opened === id) return narrow({ subscription: id });
    navigate(withQuery(hrefs.subscription(id), (query) => feedParams.format(query, { ...filter, subscription: id })));
  };
  return (
    <div className={shared.lines}>
      <ul aria-label="Subscriptions">
        {lines.map((one) => {
          const pressed = one.id === filter.subscription;
          return (
            <li key={one.id}>
              <Tooltip
                label={`${one.url}, for ${one.organization_name || one.integration_id}: ${pressed ? "show the deliveries of all" : "show its deliveries only"}`}
                position="bottom-start"
                multiline
              >
                <button
                  type="button"
                  className={`hov ${shared.line} ${shared.pressable}`}
                  aria-pressed={pressed}
                  onPointerEnter={hold}
                  onPointerLeave={release}
                  onFocus={hold}
                  onBlur={release}
                  onClick={() => (pressed ? narrow({ subscription: null }) : choose(one.id))}
                >
                  <SideGlyph side={one.scope} labelled />
                  <ShortAddress url={one.url} />
                  <HealthState subscription={one} />
                </button>
              </Tooltip>
            </li>
          );
        })}
      </ul>
      {data.length > lines.length && (
        <div className={`t12 ${shared.more}`}>
          <TextLink href="/webhooks">All {plural(data.length, "subscription")}</TextLink>
        </div>
      )}
    </div>
  );
};
