import { IconTrash, IconUnlink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import type { DrillName } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { IconButton, LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { headsIt } from "../../../lib/focus.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { addresses, usePageParams } from "../addresses.ts";
import { Scorecard } from "../drills/scorecard.tsx";
import { Address, whereTo } from "../where-to.tsx";
import { Fares, HealthState } from "./health.tsx";
import { SendTest } from "./send-test.tsx";
import { PauseButton, UnsubscribeDialog } from "./subscription-actions.tsx";

/** Where a subscription leads, whose it is and what it was sent. */
const SubscriptionFacts = ({ subscription }: { subscription: Subscription }) => {
  const { url, delivered, pending, failed } = subscription;
  const to = whereTo(url, window.location.origin);
  return (
    <section className="webhooks-facts" aria-labelledby="webhooks-subscription-facts">
      <h3 className="h2" id="webhooks-subscription-facts">
        This subscription
      </h3>
      <Fares subscription={subscription} />
      <KeyValue
        rows={[
          [
            "Address",
            <span key="url" className="m11 wrapany">
              {url}
            </span>,
          ],
          to.kind === "sink"
            ? [
                "Is",
                <TextLink key="is" href={addresses.sink()}>
                  the reference sink
                </TextLink>,
              ]
            : to.kind === "receiver"
              ? [
                  "Is",
                  <TextLink key="is" href={addresses.receiver(to.id)}>
                    a built-in receiver
                  </TextLink>,
                ]
              : null,
          ["Integration", <Id key="integration" value={subscription.integration_id} what="integration id" />],
          ["Subscription", <Id key="id" value={subscription.id} what="subscription id" />],
          [
            "Sent",
            `${formatCount(delivered)} delivered, ${formatCount(pending)} pending, ${formatCount(failed)} failed`,
          ],
          ["Since", <Time key="since" at={subscription.created_at} as="precise" />],
        ]}
      />
    </section>
  );
};

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
        <h2 ref={headsIt} tabIndex={-1} className="el">
          {name}
        </h2>
        <span className="t2 el">
          <Address url={url} />
        </span>
        <HealthState subscription={subscription} />
        <span className="grow" />
        <SendTest subscription={subscription} />
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

/** One subscription: how it fares, and what its receiver does when it is tested. */
export const SubscriptionPage = ({ id }: { id: string }) => {
  const query = useQuery(subscriptionsQuery(useWorld()));
  const { drill } = usePageParams().values;
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
