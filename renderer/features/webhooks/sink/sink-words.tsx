import { IconInbox, IconMailOff } from "@tabler/icons-react";
import { Button, LinkButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Note } from "../../../components/section.tsx";
import { BothSides, sinkUrl } from "../../../domain/delivery/subscribing.tsx";
import { addresses } from "../addresses.ts";
import { useWebhooks } from "../webhooks-store.ts";

/** Nothing came yet: because nobody is subscribed to it, or because nothing happened since the service started. */
export const NothingArrived = () => {
  const setSubscribing = useWebhooks((state) => state.setSubscribing);
  return (
    <NothingYet
      icon={IconInbox}
      title="Nothing arrived at the sink yet"
      actions={
        <>
          <BothSides primary />
          <Button onClick={() => setSubscribing(true)}>Subscribe it for one integration</Button>
        </>
      }
    >
      Point a subscription at <span className="m11 wrapany">{sinkUrl()}</span> and change a job or an order, or post to
      it what a program of yours sends. It remembers until the service stops.
    </NothingYet>
  );
};

/** What the sink is, while none of its entries is chosen. */
export const AboutTheSink = () => (
  <div className="webhooks-about-page scroll">
    <h2 className="h2">The reference sink</h2>
    <p>
      A correct receiver: it verifies each notification with the secret of the integration the body names, remembers
      every <span className="m11">message_id</span> it accepted, and says why it refuses. <Origin of="contract" />{" "}
      <Origin of="assumption" id="D78" tight />
    </p>
    <p className="row row-1">
      <span className="m11 wrapany">POST {sinkUrl()}</span>
      <CopyButton text={sinkUrl()} what="the sink’s address" />
    </p>
    <Note>
      It finds an integration in any world, so what is listed is of every world: the newest 200 since the service
      started.
    </Note>
    <Note>
      To see a receiver that fails, is slow or forgets, use a{" "}
      <TextLink href={addresses.receivers}>built-in receiver</TextLink>.
    </Note>
  </div>
);

/** Whether an entry that an address names is gone: the sink shows the newest 200 and forgets all when it stops. */
export const Forgotten = () => (
  <NothingYet
    icon={IconMailOff}
    title="The sink no longer shows this entry"
    actions={
      <LinkButton small href={addresses.sink()}>
        What it shows
      </LinkButton>
    }
  >
    It shows the newest 200, and forgets them when the service stops.
  </NothingYet>
);
