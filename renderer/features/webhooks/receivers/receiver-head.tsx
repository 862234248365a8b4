import { IconEraser, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Receiver } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { State } from "../../../components/state.tsx";
import { announce } from "../../../lib/announce.ts";
import { addresses } from "../addresses.ts";
import { useSubscribe } from "../mutations.ts";
import { subscriptionsQuery } from "../queries.ts";
import { HealthState } from "../subscriptions/fares.tsx";
import { useReceiverMutations } from "./receiver-queries.ts";
import { Owner } from "./receivers-page.tsx";

/** Whether it is subscribed and how that fares; where it is not, a click to subscribe it again. */
const Subscribed = ({ receiver }: { receiver: Receiver }) => {
  const { data } = useQuery(subscriptionsQuery(useWorld()));
  const subscribe = useSubscribe();
  const { integration_id, url } = receiver;
  const subscription = data?.find((one) => one.url === url && one.integration_id === integration_id);
  if (subscription)
    return (
      <>
        <HealthState subscription={subscription} />
        <TextLink href={addresses.subscription(subscription.id)}>Subscription and drills</TextLink>
      </>
    );
  if (!data) return null;
  return (
    <>
      <State of="skipped">not subscribed</State>
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
    </>
  );
};

/** Whose receiver it is, how its subscription fares, and what can be done with it. */
export const ReceiverHead = ({ receiver, onDelete }: { receiver: Receiver; onDelete: () => void }) => {
  const { forget } = useReceiverMutations();
  return (
    <header className="webhooks-head">
      <TextLink href={addresses.receivers}>Receivers</TextLink>
      <span className="t3">/</span>
      <h2 className="row el">
        <Owner integrationId={receiver.integration_id} />
      </h2>
      <span className="row row-1 m11 t3" title={receiver.url}>
        {receiver.id.slice(-4)}
        <CopyButton text={receiver.url} what="its address" />
      </span>
      <Subscribed receiver={receiver} />
      <span className="grow" />
      <IconButton
        small
        icon={IconEraser}
        label="Forget what it received, and count from the start"
        disabled={forget.isPending}
        onClick={() => forget.mutate(receiver.id, { onSuccess: () => announce("It forgot what it received") })}
      />
      <IconButton small icon={IconTrash} label="Delete this receiver" onClick={onDelete} />
    </header>
  );
};
