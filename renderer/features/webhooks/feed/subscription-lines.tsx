import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../../app/world.ts";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { plural } from "../../../lib/formatting.ts";
import { useFeedFilter } from "../addresses.ts";
import { subscriptionsQuery } from "../queries.ts";
import { HealthState, healthOf, healths } from "../subscriptions/health.tsx";
import { Address } from "../where-to.tsx";

/** More than these are one click away; those that need a look come first. */
const MOST_LINES = 3;

/** The subscriptions in a few lines; one pressed narrows the feed to what it was sent. */
export const SubscriptionLines = () => {
  const { data } = useQuery(subscriptionsQuery(useWorld()));
  const { filter, narrow } = useFeedFilter();
  if (!data || data.length === 0) return null;
  const rank = (one: Subscription) => (one.id === filter.subscription ? -1 : healths.indexOf(healthOf(one)));
  const lines = data.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_LINES);
  return (
    <div>
      <ul aria-label="Subscriptions">
        {lines.map((one) => {
          const pressed = one.id === filter.subscription;
          return (
            <li key={one.id}>
              <button
                type="button"
                className="webhooks-line"
                aria-pressed={pressed}
                title={`${one.url}, for ${one.organization_name || one.integration_id}: ${pressed ? "show the deliveries of all" : "show its deliveries only"}`}
                onClick={() => narrow({ subscription: pressed ? null : one.id })}
              >
                <SideGlyph side={one.scope} labelled />
                <Address url={one.url} />
                <HealthState subscription={one} />
              </button>
            </li>
          );
        })}
      </ul>
      {data.length > lines.length && (
        <span className="webhooks-more t12">
          <TextLink href="/webhooks">All {plural(data.length, "subscription")}</TextLink>
        </span>
      )}
    </div>
  );
};
