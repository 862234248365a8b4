import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Time } from "../../../components/time.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { addresses } from "../addresses.ts";
import { whereTo } from "../where-to.ts";
import { Fares } from "./fares.tsx";

/** Where a subscription leads, whose it is and what it was sent. */
export const SubscriptionFacts = ({ subscription }: { subscription: Subscription }) => {
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
