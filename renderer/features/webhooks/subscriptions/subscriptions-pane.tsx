import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Id } from "../../../components/id.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { BothSides } from "../../../domain/delivery/subscribing.tsx";
import { plural } from "../../../lib/formatting.ts";
import { Count, since } from "../parts.tsx";
import { useSends } from "../queries.ts";
import shared from "../webhooks.module.css";
import { openForm } from "../webhooks-store.ts";
import { Address } from "../where-to.tsx";
import { Fares } from "./health.tsx";
import { recentWords } from "./recent.tsx";
import { SubscriptionActions, UnsubscribeDialog } from "./subscription-actions.tsx";

const columnsWith = (onRemove: (one: Subscription) => void): readonly Column<Subscription>[] => [
  {
    key: "organization",
    head: "Organization and address",
    cell: (one) => (
      <div className={shared.to}>
        <SideGlyph side={one.scope} labelled />
        <span>
          <TextLink href={hrefs.subscription(one.id)} title="How it fares, its drills and its scorecard">
            {one.organization_name || "not of this world"}
          </TextLink>
        </span>
        <span className="t2">
          <Address url={one.url} />
        </span>
      </div>
    ),
  },
  {
    key: "integration",
    head: "Integration",
    width: "118px",
    cell: (one) => <Id value={one.integration_id} what="integration ID" />,
  },
  {
    key: "health",
    head: "Health",
    width: "27%",
    cell: (one) => (
      <Fares subscription={one}>
        {recentWords(one.recent).map((words) => (
          <span key={words}>{words}</span>
        ))}
      </Fares>
    ),
  },
  { key: "delivered", head: "Delivered", width: "68px", right: true, cell: (one) => <Count of={one.delivered} /> },
  { key: "failed", head: "Given up", width: "64px", right: true, cell: (one) => <Count of={one.failed} /> },
  since,
  {
    key: "actions",
    head: <span className="sr">Pause and remove</span>,
    width: "76px",
    right: true,
    cell: (one) => (
      <span className="row row-1">
        <SubscriptionActions subscription={one} onRemove={() => onRemove(one)} />
      </span>
    ),
  },
];

const NoSubscriptions = () => (
  <div className={shared.first}>
    <NothingYet
      icon={IconWebhook}
      title="No subscriptions yet"
      actions={
        <>
          <BothSides primary />
          <Button onClick={() => openForm("subscribe")}>Subscribe an address</Button>
          <Button look="quiet" onClick={() => openForm("receiver")}>
            Make a receiver
          </Button>
        </>
      }
    >
      Events are sent only to subscriptions that exist when they happen. No server yet? The test receiver verifies every
      notification and returns 200. A built-in receiver behaves as you choose.
    </NothingYet>
  </div>
);

/** Every subscription with how it fares: what the place shows while no delivery is chosen. */
export const SubscriptionsPane = () => {
  const query = useQuery(subscriptionsQuery(useWorld()));
  const sends = useSends();
  const [removing, setRemoving] = useState<Subscription | null>(null);
  usePageTitle("Webhooks");
  return (
    <>
      <Read of={query} what="the subscriptions" rows={4}>
        {(data) => {
          if (data.length === 0) return <NoSubscriptions />;
          return (
            <section className={`${shared.subscriptions} scroll`} aria-labelledby="webhooks-subscriptions">
              <div className="sec">
                <h2 id="webhooks-subscriptions">{plural(data.length, "subscription")}</h2>
                <span className="r">
                  <BothSides />
                  <Button small icon={IconPlus} onClick={() => openForm("subscribe")}>
                    Subscribe
                  </Button>
                </span>
              </div>
              <Table caption="Subscriptions" columns={columnsWith(setRemoving)} rows={data} rowKey={(one) => one.id} />
              <div className={`stack hl ${shared.notes}`}>
                {!sends && (
                  <Note>
                    Deliveries are off: the service was started with <span className="m">--deliveries off</span>.
                    Nothing is sent; what subscriptions would be notified of waits.
                  </Note>
                )}
                <Note>
                  An event goes to every subscribed integration of one organization on that side. All URLs of an
                  integration receive the same message_id. <Origin of="assumption" id="D70" />{" "}
                  <Origin of="assumption" id="D71" />
                </Note>
                <Note>
                  Open a subscription to test its receiver with the nine drills; choose a delivery on the left to see
                  its bytes, its signature and what the receiver answered.
                </Note>
              </div>
            </section>
          );
        }}
      </Read>
      {/* Beside them: the last one takes the list with it, and the dialog gives the focus back. */}
      <UnsubscribeDialog subscription={removing} onClose={() => setRemoving(null)} />
    </>
  );
};
