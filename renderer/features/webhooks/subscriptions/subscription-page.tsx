import { Box, Stack } from "@mantine/core";
import { IconUnlink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { maskSecret } from "../../../../sandbox/contract/known-secrets.ts";
import { Detail } from "../../../components/detail.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { Address, classifyAddress } from "../../../domain/delivery/address.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { addresses, toSubscriptions, useWebhookPageParams } from "../addresses.ts";
import { Drills } from "../drills/drills.tsx";
import { useDrills } from "../drills/run-drills.ts";
import { Code, part, useIntegration } from "../parts.tsx";
import { useReceivers } from "../queries.ts";
import { BehaviourPane } from "../receivers/behaviour-pane.tsx";
import { HealthDetails, RecentNote, recentFacts } from "./health.tsx";
import { SendTest, SubscriptionActions, UnsubscribeDialog } from "./subscription-actions.tsx";

/** A subscription's address, integration and deliveries. */
const SubscriptionFacts = ({ subscription }: { subscription: Subscription }) => {
  const { id, url, integration_id, delivered, pending, failed, created_at } = subscription;
  const secret = useIntegration(integration_id)?.webhook_secret;
  return (
    <Stack component="section" px="lg" py={14} aria-label="This subscription">
      <h3 className="h2">Health</h3>
      <HealthDetails subscription={subscription} />
      <RecentNote of={subscription} />
      <KeyValue
        rows={[
          ...recentFacts(subscription),
          ["URL", <Code key="url">{url}</Code>],
          [
            "Deliveries",
            <span key="deliveries">
              <TextLink href={hrefs.deliveriesTo(id)}>
                {formatCount(delivered)} delivered, {formatCount(pending)} pending
              </TextLink>
              , <TextLink href={hrefs.deliveriesTo(id, "failed")}>{formatCount(failed)} failed</TextLink>
            </span>,
          ],
          ["Integration", <Id key="integration" value={integration_id} what="integration ID" />],
          secret !== undefined && ["Secret", <Code key="secret">{maskSecret(secret)}</Code>],
          [
            "Readiness",
            <TextLink key="readiness" href={hrefs.integration(integration_id)}>
              View readiness report
            </TextLink>,
          ],
          ["Subscription", <Id key="id" value={id} what="subscription ID" />],
          ["Created", <Time key="since" at={created_at} as="precise" />],
        ]}
      />
    </Stack>
  );
};

/** Behaviour of the built-in receiver at this address; its receipts are on a separate page. */
const OwnReceiver = ({ id }: { id: string }) => {
  const receiver = useReceivers().data?.find((one) => one.id === id);
  return (
    receiver && (
      <>
        <BehaviourPane receiver={receiver} />
        <Box {...part}>
          <TextLink href={addresses.receiver(id)}>View what it received</TextLink>
        </Box>
      </>
    )
  );
};

const Shown = ({ subscription }: { subscription: Subscription }) => {
  const [, navigate] = useLocation();
  const [removing, setRemoving] = useState(false);
  const drilling = useDrills(subscription.id);
  const { organization_name, integration_id, url, receives } = subscription;
  const name = organization_name || integration_id;
  const to = classifyAddress(url);
  return (
    <Detail
      label={`Subscription of ${name}`}
      before={<SideGlyph side={subscription.scope} labelled />}
      title={name}
      beside={<Address url={url} />}
      actions={
        <>
          <SendTest subscription={subscription} />
          <SubscriptionActions subscription={subscription} onRemove={() => setRemoving(true)} />
        </>
      }
      side={
        <>
          {to.kind === "receiver" && <OwnReceiver id={to.id} />}
          <SubscriptionFacts subscription={subscription} />
        </>
      }
      sideLabel="About this subscription"
    >
      {receives.events.length === 0 && (
        <Box {...part}>
          <State of="failed">{receives.sentence}</State>
        </Box>
      )}
      <Drills drilling={drilling} withCode />
      <UnsubscribeDialog
        subscription={removing ? subscription : null}
        onClose={() => setRemoving(false)}
        onEnded={() => navigate(addresses.subscriptions)}
      />
    </Detail>
  );
};

/** A subscription: its health, and its receiver's drill results. */
export const SubscriptionPage = ({ id }: { id: string }) => {
  const query = useQuery(subscriptionsQuery(useWorld()));
  const { drill } = useWebhookPageParams().values;
  const subscription = query.data?.find((one) => one.id === id);
  usePageTitle(
    drill && drills[drill].title,
    subscription?.organization_name || subscription?.integration_id || "Subscription",
    "Webhooks",
  );
  return (
    <Read of={query} what="the subscription" rows={6}>
      {() =>
        subscription ? (
          <Shown subscription={subscription} />
        ) : (
          <Missing
            {...toSubscriptions}
            icon={IconUnlink}
            title="Subscription not found"
            why="It was deleted, or it belongs to another world. Its deliveries stay in the feed."
          />
        )
      }
    </Read>
  );
};
