import { IconTrash, IconUnlink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { type DrillName, drills } from "../../../../sandbox/contract/drills.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { IconButton, LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { addresses, drillIn, useAddressQuery } from "../addresses.ts";
import { Scorecard } from "../drills/scorecard.tsx";
import { Address } from "../feed/address.tsx";
import { subscriptionsQuery } from "../queries.ts";
import { HealthState } from "./fares.tsx";
import { PauseButton } from "./pause-button.tsx";
import { SubscriptionFacts } from "./subscription-facts.tsx";
import { UnsubscribeDialog } from "./unsubscribe-dialog.tsx";

const NoSubscription = () => (
  <NothingYet
    icon={IconUnlink}
    title="No subscription has this address"
    actions={
      <LinkButton small href={addresses.subscriptions}>
        All subscriptions
      </LinkButton>
    }
  >
    It is of another world, or it was removed. What was delivered to it stays in the feed.
  </NothingYet>
);

const Shown = ({ subscription, drill }: { subscription: Subscription; drill: DrillName | null }) => {
  const [removing, setRemoving] = useState<Subscription | null>(null);
  const [, navigate] = useLocation();
  const { organization_name, integration_id, url } = subscription;
  const name = organization_name || integration_id;
  return (
    <section className="webhooks-page" aria-label={`Subscription of ${name}`}>
      <header className="webhooks-head">
        <SideGlyph side={subscription.scope} labelled />
        <h2 className="el">{name}</h2>
        <span className="t2 el">
          <Address url={url} />
        </span>
        <HealthState subscription={subscription} />
        <span className="grow" />
        <PauseButton subscription={subscription} />
        <IconButton
          small
          icon={IconTrash}
          label={`Remove the subscription of ${name} to ${url}`}
          onClick={() => setRemoving(subscription)}
        />
      </header>
      <Scorecard
        subscriptionId={subscription.id}
        drill={drill}
        overview={<SubscriptionFacts subscription={subscription} />}
      />
      <UnsubscribeDialog
        subscription={removing}
        onClose={() => setRemoving(null)}
        onRemoved={() => navigate(addresses.subscriptions)}
      />
    </section>
  );
};

/** One subscription: how it fares, and what its consumer does when it is tested. */
export const SubscriptionPage = ({ id }: { id: string }) => {
  const query = useQuery(subscriptionsQuery(useWorld()));
  const drill = drillIn(useAddressQuery().query);
  const subscription = query.data?.find((one) => one.id === id);
  usePageTitle(
    drill && drills[drill].title,
    subscription?.organization_name || subscription?.integration_id || "Subscription",
    "Webhooks",
  );
  return (
    <Read of={query} what="the subscription" rows={6}>
      {() => (subscription ? <Shown subscription={subscription} drill={drill} /> : <NoSubscription />)}
    </Read>
  );
};
