import { useQuery } from "@tanstack/react-query";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { AnswerStatus } from "../../../domain/delivery/answer-status.tsx";
import { outcomeOf } from "../../../domain/delivery/verdict.ts";
import { jobRowQuery } from "../../../domain/job/queries.ts";
import { bytesFromBase64, jsonOf } from "../../../lib/bytes.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { usePageParams } from "../addresses.ts";
import { DrillsAside } from "../drills/drills-aside.tsx";
import type { Drilling } from "../drills/run-drills.ts";
import { Answer } from "../message/answer.tsx";
import { fieldOf } from "../message/notification.ts";
import { Code, Owner } from "../parts.tsx";
import { useEnded } from "../queries.ts";
import shared from "../webhooks.module.css";
import styles from "./delivery.module.css";

/** The receivers of the sandbox say so when a message came before. */
const wasKnown = ({ response_body_base64 }: Attempt): boolean =>
  fieldIn(jsonOf(bytesFromBase64(response_body_base64)), "deduped") === true;

/** What the receiver answered to an attempt, or why it did not. What a failure comes to stands over the attempts. */
const AnswerPane = ({ attempt }: { attempt: Attempt }) => (
  <section className={`stack ${shared.facts}`} aria-labelledby="webhooks-answer">
    <h2 className="h2" id="webhooks-answer">
      Answer to attempt {attempt.number}
    </h2>
    <div className="row">
      <AnswerStatus status={attempt.response_status} error={attempt.error} />
      <span className="t12 t3">after {formatMs(attempt.duration_ms)}</span>
    </div>
    {attempt.error && <p className="t12 ink">{attempt.error}</p>}
    {outcomeOf(attempt) === "acknowledged" && (
      <p className="t12 t2">
        200 acknowledges the notification.
        {wasKnown(attempt) &&
          " It knew this message_id already and did nothing else: that is how a repeat is answered."}{" "}
        <Origin of="contract" />
      </p>
    )}
    {attempt.response_status !== null && <Answer of={attempt} label={`answer to attempt ${attempt.number}`} />}
  </section>
);

/** The job by its number, which an order's notification does not carry. */
const JobLink = ({ delivery: { job_id, procurement_id, label } }: { delivery: Delivery }) => {
  const { data: job } = useQuery({ ...jobRowQuery(useWorld(), job_id), enabled: procurement_id !== null });
  const name = job?.job_number ?? job?.plate_number;
  return <TextLink href={hrefs.job(job_id)}>{procurement_id === null ? label : (name ?? "the job")}</TextLink>;
};

/** Everything by which this delivery can be found elsewhere. */
const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => {
  const ended = useEnded(delivery.subscription_id);
  const [first] = delivery.attempts;
  const eventTime = first ? fieldOf(bytesFromBase64(first.request_body_base64), "event_timestamp") : null;
  return (
    <section className={`stack hl ${shared.facts}`} aria-labelledby="webhooks-facts">
      <h2 className="h2" id="webhooks-facts">
        This delivery
      </h2>
      <KeyValue
        rows={[
          ["To", <Code key="to">{delivery.url}</Code>],
          [
            "For",
            <span key="for" className="row row-1">
              <Owner integrationId={delivery.integration_id} />
            </span>,
          ],
          ended && ["Subscription", "ended since"],
          ["Integration", <Id key="integration" value={delivery.integration_id} what="integration ID" />],
          ["Message", <Id key="message" value={delivery.message_id} what="message id" />],
          delivery.repeats_id !== null && [
            "Sends again",
            <TextLink key="repeats" href={hrefs.delivery(delivery.repeats_id)}>
              the delivery it repeats
            </TextLink>,
          ],
          ["Event", <Id key="event" value={delivery.event_id} what="event id" />],
          delivery.test
            ? [
                "Test",
                <span key="test">
                  Sent on request: no call made it, and what it names does not exist. The header{" "}
                  <span className="m11">x-sandbox-test-event</span> says so to the receiver. <Origin of="extension" />
                </span>,
              ]
            : [
                "Trace",
                <span key="trace" className="row row-1 wrap">
                  <Id value={delivery.trace_id} what="trace ID" />
                  <TextLink href={hrefs.request(delivery.trace_id, "trace")}>View call</TextLink>
                </span>,
              ],
          !delivery.test && ["Job", <JobLink key="job" delivery={delivery} />],
          delivery.procurement_id !== null && [
            "Order",
            <TextLink key="procurement" href={hrefs.procurement(delivery.procurement_id)}>
              {delivery.label}
            </TextLink>,
          ],
          eventTime !== null && ["Happened", <Time key="happened" at={eventTime} as="precise" />],
          ["Queued", <Time key="queued" at={delivery.created_at} as="precise" on="real" />],
          delivery.ended_at !== null && ["Ended", <Time key="ended" at={delivery.ended_at} as="precise" on="real" />],
        ]}
      />
    </section>
  );
};

/** Beside the bytes: what the receiver answered and where the delivery is found elsewhere, or the drills on it. */
export const DeliveryAside = ({
  delivery,
  attempt,
  drilling,
}: {
  delivery: Delivery;
  attempt: Attempt | null;
  drilling: Drilling;
}) => {
  const { values, change } = usePageParams();
  const { card } = drilling;
  const score = card && card.run > 0 ? ` ${card.passed}/${card.items.length}` : "";
  return (
    <aside className={`col ${styles.aside}`} aria-label="About this delivery">
      <Tabs
        label="Beside this delivery"
        tabs={[
          { value: "answer", label: "Answer" },
          { value: "drills", label: `Drills${score}` },
        ]}
        value={values.show}
        onChange={(show) => change(show === "drills" ? { show } : { show, drill: null })}
      >
        {values.show === "drills" ? (
          <DrillsAside delivery={delivery} drilling={drilling} />
        ) : (
          <div>
            {attempt && <AnswerPane key={attempt.number} attempt={attempt} />}
            <DeliveryFacts delivery={delivery} />
          </div>
        )}
      </Tabs>
    </aside>
  );
};
