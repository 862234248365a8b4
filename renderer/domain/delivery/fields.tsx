import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Attempt, Delivery } from "../../../sandbox/contract/control/rows.ts";
import { receiverAddress } from "../../../sandbox/contract/text.ts";
import { Id } from "../../components/id.tsx";
import { TextLink } from "../../components/link.tsx";
import { Time } from "../../components/time.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { type DeclaredField, factsOf } from "../../lib/declared-fields.ts";
import { Origin } from "../decision/origin.tsx";
import { jobRowQuery } from "../job/queries.ts";
import type { Verdict } from "../trace/verdict.ts";

type DeliveryField = DeclaredField<[delivery: Delivery]>;

/** Links to the job by its number, which an order's notification lacks. */
const JobLink = ({ delivery: { job_id, procurement_id, label } }: { delivery: Delivery }) => {
  const { data: job } = useQuery({ ...jobRowQuery(useWorld(), job_id), enabled: procurement_id !== null });
  const name = job?.job_number ?? job?.plate_number;
  return <TextLink href={hrefs.job(job_id)}>{procurement_id === null ? label : (name ?? "the job")}</TextLink>;
};

const id = (words: string, of: (delivery: Delivery) => string): DeliveryField => ({
  words,
  text: of,
  shown: (delivery) => <Id value={of(delivery)} what={words} />,
});
const time = (words: string, of: (delivery: Delivery) => string | null): DeliveryField => ({
  words,
  text: of,
  shown: (delivery) => <Time at={of(delivery) ?? ""} as="precise" on="real" />,
});

/** Fields of a delivery. Its page, a shared page and the text for a partner use them. */
const deliveryFields: readonly DeliveryField[] = [
  { words: "Event", text: ({ event_type, announces }) => `${event_type} (${announces})`, shown: false },
  { words: "About", text: ({ label }) => label, shown: false },
  { words: "Status", text: ({ status }) => status, shown: false },
  {
    words: "Receiver",
    text: ({ url }) => receiverAddress(url),
    shown: ({ url }) => (
      <Text variant="mono" style={{ overflowWrap: "anywhere" }}>
        {url}
      </Text>
    ),
  },
  id("Integration ID", ({ integration_id }) => integration_id),
  id("Message ID", ({ message_id }) => message_id),
  id("Event ID", ({ event_id }) => event_id),
  id("Delivery ID", ({ id: own }) => own),
  {
    words: "Sent again from",
    text: ({ repeats_id }) => repeats_id,
    shown: ({ repeats_id }) => <TextLink href={hrefs.delivery(repeats_id ?? "")}>an earlier delivery</TextLink>,
  },
  {
    words: "Test",
    text: ({ test }) => (test ? "Sent on request. The job or order in it doesn’t exist." : null),
    shown: () => (
      <>
        Sent on request. No call caused it, and the job or order in it doesn’t exist. The header{" "}
        <Text variant="mono">x-sandbox-test-event</Text> marks it for the receiver. <Origin of="extension" />
      </>
    ),
  },
  {
    words: "Trace",
    text: ({ test, trace_id }) => (test ? null : trace_id),
    shown: ({ trace_id }) => <TextLink href={hrefs.request(trace_id, "trace")}>View call</TextLink>,
  },
  {
    words: "Job",
    text: ({ test, job_id }) => (test ? null : job_id),
    shown: (delivery) => <JobLink delivery={delivery} />,
  },
  {
    words: "Order",
    text: ({ procurement_id }) => procurement_id,
    shown: ({ procurement_id, label }) => <TextLink href={hrefs.procurement(procurement_id ?? "")}>{label}</TextLink>,
  },
  time("Created", ({ created_at }) => created_at),
  { words: "Next attempt", text: ({ next_attempt_at }) => next_attempt_at, shown: false },
  time("Ended", ({ ended_at }) => ended_at),
];

/** The text and the shown value of each field. */
export const { texts: deliveryFacts, shown: shownFacts } = factsOf(deliveryFields);

const attemptWords = (attempt: Attempt): string => {
  const { number, started_at, explanation, verification } = attempt;
  const what = explanation?.sentence ?? "The receiver acknowledged it with 200.";
  const wrong = verification.find(({ verdict }) => verdict === "failed");
  const sent = wrong ? `${wrong.step} failed: ${wrong.detail}` : "signature and timestamp were correct";
  return `${number}. ${started_at}: ${what} When sent, ${sent}.`;
};

/**
 * The reason for a failure as text for readers without an explorer. Masks all secrets, even those a receiver repeats.
 */
export const deliveryText = (delivery: Delivery, { cause, whose, remedy }: Verdict): string =>
  [
    `Cause: ${cause} ${whose}`,
    `What to do: ${remedy}`,
    ...deliveryFacts(delivery).map(([words, text]) => `${words}: ${text}`),
    "Attempts:",
    ...delivery.attempts.map(attemptWords),
  ]
    .join("\n")
    .replaceAll(/\bpwh_[\w-]+/g, "pwh_…");
