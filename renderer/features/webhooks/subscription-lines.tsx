import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../app/world.ts";
import { TextLink } from "../../components/link.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { formatCount, plural } from "../../lib/formatting.ts";
import { builtInReceiver } from "./mutations.ts";
import { healthOf, subscriptionsQuery } from "./queries.ts";
import { useWebhooks } from "./webhooks-store.ts";

/** More than these are one click away; those that need a look come first. */
const MOST_LINES = 3;
const urgency = { waiting: 0, failing: 1, healthy: 2, unused: 3 } as const;

export const HealthState = ({ subscription }: { subscription: Subscription }) => {
  const { pending, failed, delivered } = subscription;
  const counts = `${formatCount(delivered)} delivered, ${formatCount(pending)} pending, ${formatCount(failed)} failed`;
  switch (healthOf(subscription)) {
    case "waiting":
      return (
        <State of="pending" title={counts}>
          {formatCount(pending)} waiting
        </State>
      );
    case "failing":
      return (
        <State of="failed" title={counts}>
          {formatCount(failed)} failed
        </State>
      );
    case "healthy":
      return (
        <State of="delivered" title={counts}>
          healthy
        </State>
      );
    default:
      return (
        <State of="skipped" title={counts}>
          nothing yet
        </State>
      );
  }
};

/** Where it goes, by its name when it is the service's own. */
export const Address = ({ url }: { url: string }) =>
  url === builtInReceiver() ? (
    <span className="el" title={url}>
      built-in receiver
    </span>
  ) : (
    <span className="m11 el" title={url}>
      {url}
    </span>
  );

/** The subscriptions in a few lines; one pressed narrows the feed to its integration. */
export const SubscriptionLines = () => {
  const { data } = useQuery(subscriptionsQuery(useWorld()));
  const { integrationId, filterIntegration } = useWebhooks();
  if (!data || data.length === 0) return null;
  const rank = (one: Subscription) => (one.integration_id === integrationId ? -1 : urgency[healthOf(one)]);
  const lines = data.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_LINES);
  return (
    <div>
      <ul aria-label="Subscriptions">
        {lines.map((one) => {
          const pressed = one.integration_id === integrationId;
          return (
            <li key={one.id}>
              <button
                type="button"
                className="webhooks-line"
                aria-pressed={pressed}
                title={`${one.url}, for ${one.organization_name || one.integration_id}: ${pressed ? "show the deliveries of all" : "show its deliveries only"}`}
                onClick={() => filterIntegration(pressed ? null : one.integration_id)}
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
