import { useQuery } from "@tanstack/react-query";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../../app/acting.ts";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { useUi } from "../../../app/ui-store.ts";
import { useWorld } from "../../../app/world.ts";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { fieldOf } from "../message/notification.ts";
import { jobNameQuery, subscriptionsQuery } from "../queries.ts";

const eventTimeOf = ({ attempts: [first] }: Delivery): string | null =>
  first ? fieldOf(bytesFromBase64(first.request_body_base64), "event_timestamp") : null;

/** The job by its number, which an order's notification does not carry. */
const JobLink = ({ delivery: { job_id, procurement_id, label } }: { delivery: Delivery }) => {
  const { data: name } = useQuery({ ...jobNameQuery(useWorld(), job_id), enabled: procurement_id !== null });
  if (!hasPlace("jobs")) return <Id value={job_id} what="job id" />;
  return <TextLink href={hrefs.job(job_id)}>{procurement_id === null ? label : (name ?? "the job")}</TextLink>;
};

/** Everything by which this delivery can be found elsewhere. */
export const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => {
  const { data: credentials } = useCredentials();
  const showInWire = useUi((state) => state.showInWire);
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  const owner = credentials?.find(({ integration_id }) => integration_id === delivery.integration_id);
  const ended = subscriptions !== undefined && !subscriptions.some(({ id }) => id === delivery.subscription_id);
  const eventTime = eventTimeOf(delivery);
  return (
    <section className="webhooks-facts" aria-labelledby="webhooks-facts">
      <h2 className="h2" id="webhooks-facts">
        This delivery
      </h2>
      <KeyValue
        rows={[
          [
            "To",
            <span key="to" className="m11 wrapany">
              {delivery.url}
            </span>,
          ],
          [
            "For",
            <span key="for" className="row row-1">
              <SideGlyph side={delivery.side} labelled /> {owner?.organization_name ?? "an integration that is gone"}
            </span>,
          ],
          ended ? ["Subscription", "ended since"] : null,
          ["Integration", <Id key="integration" value={delivery.integration_id} what="integration id" />],
          ["Message", <Id key="message" value={delivery.message_id} what="message id" />],
          delivery.repeats_id === null
            ? null
            : [
                "Sends again",
                <TextLink key="repeats" href={hrefs.delivery(delivery.repeats_id)}>
                  the delivery it repeats
                </TextLink>,
              ],
          ["Event", <Id key="event" value={delivery.event_id} what="event id" />],
          [
            "Trace",
            <span key="trace" className="row row-1">
              <Id value={delivery.trace_id} what="trace id" />
              <button type="button" className="lnk" onClick={() => showInWire(delivery.trace_id)}>
                on the wire
              </button>
            </span>,
          ],
          ["Job", <JobLink key="job" delivery={delivery} />],
          delivery.procurement_id === null
            ? null
            : [
                "Procurement",
                hasPlace("procurements") ? (
                  <TextLink key="procurement" href={hrefs.procurement(delivery.procurement_id)}>
                    {delivery.label}
                  </TextLink>
                ) : (
                  <Id key="procurement" value={delivery.procurement_id} what="procurement id" />
                ),
              ],
          eventTime === null ? null : ["Happened", <Time key="happened" at={eventTime} as="precise" />],
          ["Queued", <Time key="queued" at={delivery.created_at} as="precise" on="real" />],
          delivery.ended_at === null
            ? null
            : ["Ended", <Time key="ended" at={delivery.ended_at} as="precise" on="real" />],
        ]}
      />
    </section>
  );
};
