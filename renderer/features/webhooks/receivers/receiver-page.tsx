import { IconMailOff, IconServerOff, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { Receipt, Receiver } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { useLiveList } from "../../../app/live/live-list.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useControl } from "../../../app/use-control.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton, LinkButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Detail } from "../../../components/detail.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/link.tsx";
import { List } from "../../../components/list.tsx";
import { Read } from "../../../components/read.tsx";
import { useSubscribe } from "../../../domain/delivery/subscribing.tsx";
import { announce } from "../../../lib/announce.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { addresses, usePageParams } from "../addresses.ts";
import { EndDialog, keyOf, Owner, Panes } from "../parts.tsx";
import { ReceiptDetail, receiptLines } from "../receipts/receipt.tsx";
import { SendTest } from "../subscriptions/subscription-actions.tsx";
import shared from "../webhooks.module.css";
import { BehaviourPane } from "./behaviour-pane.tsx";
import { receivedList, receiversQuery } from "./receiver-queries.ts";
import { Fares, useItsSubscription } from "./receivers-page.tsx";

/** Whether it is subscribed and how that fares; where it is not, a click to subscribe it again. */
const Subscribed = ({ receiver }: { receiver: Receiver }) => {
  const subscription = useItsSubscription(receiver);
  const subscribe = useSubscribe();
  const { integration_id, url } = receiver;
  return (
    <>
      <Fares receiver={receiver} />
      {subscription && <TextLink href={hrefs.subscription(subscription.id)}>Subscription and drills</TextLink>}
      {subscription === null && (
        <Button
          small
          busy={subscribe.isPending}
          onClick={() =>
            subscribe.mutate([{ integration_id, url }], {
              onSuccess: () => announce("Subscribed"),
              onError: (error) => notify.failed("Subscribe", error),
            })
          }
        >
          Subscribe it
        </Button>
      )}
    </>
  );
};

const NoReceiver = () => (
  <NothingYet icon={IconServerOff} title="Receiver not found" link={[addresses.receivers, "All receivers"]}>
    It was deleted, or it belongs to another world.
  </NothingYet>
);

const Shown = ({ receiver }: { receiver: Receiver }) => {
  const [, navigate] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const subscription = useItsSubscription(receiver);
  const { receipt: selected } = usePageParams().values;
  const remove = useControl("receivers.delete", { changes: ["receiver"] });
  const received = useLiveList(receivedList(useWorld(), receiver.id));
  const receipt = received.items.find(({ id }) => id === selected);
  const hrefOf = useCallback((receipt: Receipt) => addresses.receiver(receiver.id, receipt.id), [receiver.id]);
  const here = useMemo(() => ({ kind: "receiver", id: receiver.id }) as const, [receiver.id]);
  return (
    <Detail
      label="Built-in receiver"
      className={shared.page}
      before={
        <>
          <TextLink href={addresses.receivers}>Receivers</TextLink>
          <span className="t3">/</span>
        </>
      }
      title={
        <span className="row">
          <Owner integrationId={receiver.integration_id} />
        </span>
      }
      beside={
        <>
          <span className="row row-1 m11 t3" title={receiver.url}>
            {receiver.id.slice(-4)}
            <CopyButton text={receiver.url} what="its address" />
          </span>
          <Subscribed receiver={receiver} />
        </>
      }
      actions={
        <>
          {subscription && <SendTest subscription={subscription} />}
          <IconButton small icon={IconTrash} label="Delete this receiver" onClick={() => setDeleting(true)} />
        </>
      }
    >
      <Panes
        label="What it received"
        open={selected}
        list={
          <>
            <div className="head">
              <div className="row">
                <h3 className="h2">Received</h3>
                <span className="t12 t3">{formatCount(receiver.received)}</span>
                <span className="grow" />
                {selected !== null && (
                  <LinkButton small look="quiet" href={addresses.receiver(receiver.id)}>
                    What it does
                  </LinkButton>
                )}
              </div>
            </div>
            <List
              of={received}
              label="Received"
              what="what it received"
              empty={
                <NothingYet icon={IconMailOff} title="Nothing received yet">
                  Send a test event, or change a job or an order of its organization while it is subscribed.
                </NothingYet>
              }
              hrefOf={hrefOf}
              keyOf={keyOf}
              render={receiptLines}
              selected={selected}
            />
          </>
        }
        detail={
          receipt ? (
            <ReceiptDetail key={receipt.id} receipt={receipt} here={here} behaviour={receiver.behaviour} />
          ) : (
            <BehaviourPane receiver={receiver} />
          )
        }
      />
      <EndDialog
        of={deleting ? receiver : null}
        what="Receiver"
        verb="Delete"
        ending={remove}
        onClose={() => setDeleting(false)}
        onEnded={() => navigate(addresses.receivers)}
      >
        <p>
          This also deletes its subscription, its pending deliveries and its list of received notifications
          {receiver.received > 0 && ` (${plural(receiver.received, "entry", "entries")})`}.
        </p>
        <p className="t12 t2">Its finished deliveries stay in the feed.</p>
      </EndDialog>
    </Detail>
  );
};

/** `/webhooks/receivers/:id`: what one built-in receiver does, what it was sent and what it made of that. */
export const ReceiverPage = ({ id }: { id: string }) => {
  const query = useQuery(receiversQuery(useWorld()));
  usePageTitle(`Receiver ${id.slice(-4)}`, "Webhooks");
  return (
    <Read of={query} what="the receiver" rows={6}>
      {(receivers) => {
        const receiver = receivers.find((one) => one.id === id);
        return receiver ? <Shown receiver={receiver} /> : <NoReceiver />;
      }}
    </Read>
  );
};
