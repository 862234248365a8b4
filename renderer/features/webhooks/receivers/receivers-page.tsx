import { IconPlus, IconServerBolt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Receiver } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { subscriptionsQuery } from "../../../domain/delivery/queries.ts";
import { plural } from "../../../lib/formatting.ts";
import { addresses } from "../addresses.ts";
import { Count, Owner, since } from "../parts.tsx";
import { HealthState } from "../subscriptions/health.tsx";
import shared from "../webhooks.module.css";
import { openForm } from "../webhooks-store.ts";
import { behaviourSentence, behaviourWords, progressWords } from "./behaviour.ts";
import { receiversQuery } from "./receiver-queries.ts";

/** The subscription a receiver is notified by; null when it has none, undefined while that is not known. */
export const useItsSubscription = ({ url, integration_id }: Receiver): Subscription | null | undefined => {
  const { data } = useQuery(subscriptionsQuery(useWorld()));
  return data && (data.find((one) => one.url === url && one.integration_id === integration_id) ?? null);
};

/** How the subscription of a receiver fares, or that it has none. */
export const Fares = ({ receiver }: { receiver: Receiver }) => {
  const subscription = useItsSubscription(receiver);
  if (subscription) return <HealthState subscription={subscription} />;
  return subscription === null ? <State of="skipped">not subscribed</State> : null;
};

const columns: readonly Column<Receiver>[] = [
  {
    key: "owner",
    head: "For",
    cell: (receiver) => (
      <TextLink href={addresses.receiver(receiver.id)} title={receiver.url}>
        <span className={`row row-1 ${shared.owner}`}>
          <Owner integrationId={receiver.integration_id} />
          <span className="m11 t3">{receiver.id.slice(-4)}</span>
        </span>
      </TextLink>
    ),
  },
  {
    key: "behaviour",
    head: "Does",
    cell: (receiver) => (
      <span className={shared.owner} title={behaviourSentence(receiver.behaviour)}>
        {behaviourWords(receiver.behaviour)}
        {progressWords(receiver) !== null && <span className="t3">, {progressWords(receiver)}</span>}
      </span>
    ),
  },
  { key: "fares", head: "Subscription", width: "140px", cell: (receiver) => <Fares receiver={receiver} /> },
  {
    key: "received",
    head: "Received",
    width: "80px",
    right: true,
    cell: ({ received }) => <Count of={received} />,
  },
  { ...since, width: "96px" },
];

const NoReceivers = () => (
  <div className={shared.first}>
    <NothingYet
      icon={IconServerBolt}
      title="No built-in receivers yet"
      actions={
        <Button look="primary" icon={IconPlus} onClick={() => openForm("receiver")}>
          New receiver
        </Button>
      }
    >
      A built-in receiver runs in the sandbox and behaves as you choose: accept, fail the first few, time out, skip
      verification, or process repeats. You need no server.
    </NothingYet>
  </div>
);

/** `/webhooks/receivers`: the built-in receivers of this world. */
export const ReceiversPage = () => {
  const query = useQuery(receiversQuery(useWorld()));
  const [, navigate] = useLocation();
  usePageTitle("Receivers", "Webhooks");
  return (
    <Read of={query} what="the receivers" rows={4}>
      {(data) =>
        data.length === 0 ? (
          <NoReceivers />
        ) : (
          <section
            className={`${shared.subscriptions} ${shared.receivers} scroll`}
            aria-labelledby="webhooks-receivers"
          >
            <div className="sec">
              <h2 id="webhooks-receivers">{plural(data.length, "built-in receiver")}</h2>
              <Origin of="extension" />
              <span className="r">
                <Button small icon={IconPlus} onClick={() => openForm("receiver")}>
                  New receiver
                </Button>
              </span>
            </div>
            <Table
              caption="Receivers"
              columns={columns}
              rows={data}
              rowKey={(receiver) => receiver.id}
              onOpen={(receiver) => navigate(addresses.receiver(receiver.id))}
            />
            <div className={`stack hl ${shared.notes}`}>
              <Note>
                A receiver first holds back what it is told to; then it verifies, and only then it looks whether the
                message_id is a repeat.
              </Note>
            </div>
          </section>
        )
      }
    </Read>
  );
};
