import { IconMailOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Read } from "../../../components/read.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { AttemptsPane } from "./attempts-pane.tsx";
import "./delivery.css";
import { changedQuery, useAddressQuery } from "../addresses.ts";
import { useDrills } from "../drills/run-drills.ts";
import { MessagePane } from "../message/message-pane.tsx";
import { deliveryQuery } from "../queries.ts";
import { DeliveryAside } from "./delivery-aside.tsx";
import { DeliveryHead } from "./delivery-head.tsx";
import { SendMenu } from "./send-menu.tsx";
import { VerificationStrip } from "./verification-strip.tsx";

/** `/webhooks/:id/:try` names a try; without one, or with one that is not there, it is the last. */
const attemptFor = ({ attempts }: Delivery, chosen: string | undefined) =>
  attempts.find((attempt) => String(attempt.number) === chosen) ?? attempts.at(-1) ?? null;

const Shown = ({ delivery, chosenTry }: { delivery: Delivery; chosenTry: string | undefined }) => {
  const [, navigate] = useLocation();
  const attempt = attemptFor(delivery, chosenTry);
  const { query } = useAddressQuery();
  const drilling = useDrills(delivery.subscription_id);
  const choose = (number: number) =>
    navigate(`${hrefs.delivery(delivery.id)}/${number}${changedQuery(query, {})}`, { replace: true });
  return (
    <article className="webhooks-delivery" aria-label={`${delivery.event_type} ${delivery.label}`}>
      <DeliveryHead delivery={delivery}>
        <SendMenu delivery={delivery} drilling={drilling} />
      </DeliveryHead>
      <div className="webhooks-panes">
        <div className="webhooks-main">
          {attempt && <VerificationStrip key={`steps ${attempt.number}`} delivery={delivery} attempt={attempt} />}
          <AttemptsPane delivery={delivery} selected={attempt?.number ?? null} onSelect={choose} />
          {attempt ? (
            <MessagePane
              key={`body ${attempt.number}`}
              bytes={bytesFromBase64(attempt.request_body_base64)}
              headers={attempt.request_headers}
              label={`Body of try ${attempt.number}`}
            />
          ) : (
            <NothingYet icon={IconMailOff} title="Not tried yet">
              The bytes are made for each try: they carry its own stamp and signature.
            </NothingYet>
          )}
        </div>
        <DeliveryAside delivery={delivery} attempt={attempt} drilling={drilling} />
      </div>
    </article>
  );
};

/** One delivery, from its address. */
export const DeliveryDetail = ({ id, chosenTry }: { id: string; chosenTry: string | undefined }) => {
  const query = useQuery(deliveryQuery(useWorld(), id));
  const { data, error } = query;
  usePageTitle(data && `${data.event_type} ${data.label}`, "Webhooks");
  // Also where it was there a moment ago: what was never tried goes with its subscription.
  if (error instanceof ServiceFailure && (error.status === 404 || error.status === 400)) {
    return (
      <NothingYet
        icon={IconMailOff}
        title="No delivery has this address"
        actions={
          <LinkButton small href="/webhooks">
            All subscriptions
          </LinkButton>
        }
      >
        It is of another world, or it ended with a reset of the world, or with its subscription before it was tried.
      </NothingYet>
    );
  }
  return (
    <Read of={query} what="the delivery" rows={6}>
      {(delivery) => <Shown delivery={delivery} chosenTry={chosenTry} />}
    </Read>
  );
};
