import { IconUnlink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import type { DrillName } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { hrefs } from "../../../app/places.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { Detail } from "../../../components/detail.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { deliveryQuery, subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { deliveryReport, deliveryVerdict } from "../../../domain/delivery/verdict.ts";
import { VerdictNote } from "../../../domain/trace/verdict-note.tsx";
import { formatCount, maskSecret } from "../../../lib/formatting.ts";
import { addresses, usePageParams } from "../addresses.ts";
import { useDrills } from "../drills/run-drills.ts";
import { reportLines } from "../drills/score.ts";
import { Scorecard } from "../drills/scorecard.tsx";
import { useRecognised } from "../lab/use-recognised.ts";
import { Code, useIntegration } from "../parts.tsx";
import shared from "../webhooks.module.css";
import { Address, whereTo } from "../where-to.tsx";
import { Fares, HealthState } from "./health.tsx";
import { Recent } from "./recent.tsx";
import { SendTest, SubscriptionActions, UnsubscribeDialog } from "./subscription-actions.tsx";

/** The whole verdict on what failed last, while its delivery is kept. */
const LastFailure = ({ subscriptionId, deliveryId }: { subscriptionId: string; deliveryId: string }) => {
  const { data } = useQuery(deliveryQuery(useWorld(), deliveryId));
  const { card } = useDrills(subscriptionId);
  const attempt = data?.attempts.at(-1);
  const recognised = useRecognised(data, attempt);
  const verdict = data && attempt ? deliveryVerdict(data, attempt, false, recognised) : null;
  return (
    data &&
    attempt &&
    verdict && <VerdictNote verdict={verdict} text={deliveryReport(data, attempt, verdict, reportLines(card))} />
  );
};

/** Where a subscription leads, whose it is and what it was sent. */
const SubscriptionFacts = ({ subscription }: { subscription: Subscription }) => {
  const { url, delivered, pending, failed, last_failure } = subscription;
  const to = whereTo(url);
  const secret = useIntegration(subscription.integration_id)?.webhook_secret;
  return (
    <section className={`stack hl ${shared.facts}`} aria-labelledby="webhooks-subscription-facts">
      <h3 className="h2" id="webhooks-subscription-facts">
        This subscription
      </h3>
      <Fares subscription={subscription} />
      <Recent of={subscription} />
      {last_failure && <LastFailure subscriptionId={subscription.id} deliveryId={last_failure.delivery_id} />}
      <KeyValue
        rows={[
          ["Address", <Code key="url">{url}</Code>],
          to.kind !== "partner" && [
            "Is",
            <TextLink key="is" href={to.kind === "sink" ? addresses.sink() : addresses.receiver(to.id)}>
              {to.kind === "sink" ? "the test receiver" : "a built-in receiver"}
            </TextLink>,
          ],
          ["Integration", <Id key="integration" value={subscription.integration_id} what="integration ID" />],
          secret !== undefined && [
            "Secret",
            <span key="secret" className="row row-1 wrap">
              <span className="m11">{maskSecret(secret)}</span>
              <TextLink href={hrefs.install({})}>Among the credentials in Install</TextLink>
            </span>,
          ],
          [
            "Readiness",
            <TextLink key="readiness" href={hrefs.integration(subscription.integration_id)}>
              What this integration has met, and what is left
            </TextLink>,
          ],
          ["Subscription", <Id key="id" value={subscription.id} what="subscription id" />],
          [
            "Sent",
            `${formatCount(delivered)} delivered, ${formatCount(pending)} pending, ${formatCount(failed)} given up`,
          ],
          ["Since", <Time key="since" at={subscription.created_at} as="precise" />],
        ]}
      />
    </section>
  );
};

/** Also where it was there a moment ago: it may end under its page. */
const NoSubscription = () => (
  <NothingYet icon={IconUnlink} title="Subscription not found" link={[addresses.subscriptions, "All subscriptions"]}>
    It was deleted, or it belongs to another world. Its deliveries stay in the feed.
  </NothingYet>
);

const Shown = ({ subscription, drill }: { subscription: Subscription; drill: DrillName | null }) => {
  const [removing, setRemoving] = useState(false);
  const [, navigate] = useLocation();
  const { organization_name, integration_id, url } = subscription;
  const name = organization_name || integration_id;
  return (
    <Detail
      label={`Subscription of ${name}`}
      className={shared.page}
      before={<SideGlyph side={subscription.scope} labelled />}
      title={name}
      beside={
        <>
          <span className="t2 el">
            <Address url={url} />
          </span>
          <HealthState subscription={subscription} />
        </>
      }
      actions={
        <>
          <SendTest subscription={subscription} />
          <SubscriptionActions subscription={subscription} onRemove={() => setRemoving(true)} />
        </>
      }
    >
      <Scorecard
        subscription={subscription}
        drill={drill}
        overview={<SubscriptionFacts subscription={subscription} />}
      />
      <UnsubscribeDialog
        subscription={removing ? subscription : null}
        onClose={() => setRemoving(false)}
        onEnded={() => navigate(addresses.subscriptions)}
      />
    </Detail>
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
