import { IconMailOff, IconServerOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Receipt, Receiver } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { type LiveList, useLiveList } from "../../../app/live/live-list.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Read } from "../../../components/read.tsx";
import { VirtualList } from "../../../components/virtual-list.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { addresses } from "../addresses.ts";
import { Panes } from "../panes.tsx";
import { ReceiptDetail } from "../receipts/receipt-detail.tsx";
import { keyOfReceipt, ReceiptRow } from "../receipts/receipt-row.tsx";
import { BehaviourPane } from "./behaviour-pane.tsx";
import { DeleteReceiverDialog } from "./delete-dialog.tsx";
import { ReceiverHead } from "./receiver-head.tsx";
import { receivedList, receiversQuery } from "./receiver-queries.ts";
import "./receivers.css";

const render = (receipt: Receipt) => <ReceiptRow receipt={receipt} />;

const NoReceiver = () => (
  <NothingYet
    icon={IconServerOff}
    title="No receiver has this address"
    actions={
      <LinkButton small href={addresses.receivers}>
        All receivers
      </LinkButton>
    }
  >
    It is of another world, or it was deleted.
  </NothingYet>
);

const Received = ({
  receiver,
  received: { items, gap, counted, more, hold },
  selected,
}: {
  receiver: Receiver;
  received: LiveList<Receipt>;
  selected: string | null;
}) => {
  const hrefOf = useCallback((receipt: Receipt) => addresses.receiver(receiver.id, receipt.id), [receiver.id]);
  if (items.length === 0)
    return (
      <NothingYet icon={IconMailOff} title="Nothing received yet">
        Change a job or an order of its organization while it is subscribed, or run a drill on its subscription.
      </NothingYet>
    );
  return (
    <VirtualList
      label="Received"
      items={items}
      keyOf={keyOfReceipt}
      hrefOf={hrefOf}
      render={render}
      selected={selected}
      filter={receiver.id}
      total={counted?.total ?? items.length}
      gap={gap}
      onEndReached={more}
      onHold={hold}
    />
  );
};

const Shown = ({ receiver }: { receiver: Receiver }) => {
  const [, navigate] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const selected = new URLSearchParams(useSearch()).get("receipt");
  const received = useLiveList(receivedList(useWorld(), receiver.id));
  const receipt = received.items.find(({ id }) => id === selected);
  const here = useMemo(() => ({ kind: "receiver", id: receiver.id }) as const, [receiver.id]);
  return (
    <section className="webhooks-page" aria-label="Built-in receiver">
      <ReceiverHead receiver={receiver} onDelete={() => setDeleting(true)} />
      <Panes
        label="What it received"
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
            <div className="list-body">
              <Read of={received.list} what="what it received" rows={6}>
                {() => <Received receiver={receiver} received={received} selected={selected} />}
              </Read>
            </div>
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
      <DeleteReceiverDialog
        receiver={receiver}
        open={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate(addresses.receivers)}
      />
    </section>
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
