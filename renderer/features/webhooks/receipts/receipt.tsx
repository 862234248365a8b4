import { IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Receipt, ReceiverBehaviour } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { events, isEventType } from "../../../../sandbox/contract/event-types.ts";
import type { RejectReason } from "../../../../sandbox/contract/signature.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State, type StateName } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { useOpenInLab } from "../lab/lab-store.ts";
import { cameLater, deliveryOfQuery } from "../message/delivery-of.ts";
import { MessagePane } from "../message/message-pane.tsx";
import { signatureIn } from "../message/notification.ts";
import { VerificationSteps } from "../message/verification-steps.tsx";
import { useIntegration } from "../parts.tsx";
import shared from "../webhooks.module.css";
import type { WhereTo } from "../where-to.tsx";

const outcomes: Readonly<Record<Receipt["outcome"], readonly [mark: StateName, words: string]>> = {
  accepted: ["passed", "accepted"],
  repeated: ["done", "repeat"],
  refused: ["refused", "refused"],
  failed: ["failed", "error response"],
  held: ["running", "no response"],
};

export const outcomeWords = ({ outcome }: Pick<Receipt, "outcome">): string => outcomes[outcome][1];

/** How a receipt is marked: what was acknowledged although it fails the verification is no success. */
export const markOfReceipt = ({
  outcome,
  status,
  reason,
}: Pick<Receipt, "outcome" | "status" | "reason">): StateName =>
  status === 200 && reason !== null ? "failed" : outcomes[outcome][0];

/** The side an event type belongs to; null for a body that names none. */
export const sideOfEvent = (eventType: string | null): Side | null =>
  eventType !== null && isEventType(eventType) ? events[eventType].side : null;

type Found = Pick<Receipt, "reason" | "verification">;

/** Why the verification failed, in a sentence; null when it did not. */
export const reasonSentence = ({ reason, verification }: Found): string | null => {
  if (reason === null) return null;
  const detail = verification.find(({ verdict }) => verdict === "failed")?.detail ?? "";
  const sentences: Readonly<Record<RejectReason, string>> = {
    missing_signature: "The header service-hmac-sha256 is missing, so the sender is unproven.",
    bad_signature: `Its signature is invalid: ${detail}.`,
    missing_timestamp: "Its webhook_timestamp is missing or has no time zone.",
    stale_timestamp: `Its timestamp is more than 5 minutes off: ${detail}.`,
  };
  return sentences[reason];
};

/**
 * What was made of a notification and why, in sentences.
 *
 * @param behaviour what the receiver does; the sink always verifies and always looks for repeats
 */
export const receiptSentence = (
  receipt: Pick<Receipt, "outcome" | "status" | "repeat"> & Found,
  behaviour: Pick<ReceiverBehaviour, "verify" | "deduplicate"> = { verify: true, deduplicate: true },
): string => {
  const reason = reasonSentence(receipt);
  const otherwise = reason === null ? "Nothing was wrong with it." : `It would not have passed: ${reason}`;
  const unproven = reason === null ? "" : ` A correct receiver rejects it; this one doesn’t verify. ${reason}`;
  switch (receipt.outcome) {
    case "refused":
      return `Refused with ${receipt.status ?? 0}. ${reason ?? ""}`.trimEnd();
    case "repeated":
      return `This message_id was already accepted: acknowledged without further action.${unproven}`;
    case "failed":
      return `Returned ${receipt.status ?? 0}, as configured. ${otherwise}`;
    case "held":
      return `No response, as configured. The sender gives up after 10 seconds. ${otherwise}`;
    default: {
      const again =
        receipt.repeat && !behaviour.deduplicate ? " It was a repeat, and this receiver processed it again." : "";
      if (unproven || again) return `Acknowledged with 200.${unproven}${again}`;
      return "All four steps passed and the message is new: acknowledged with 200.";
    }
  }
};

const SideOf = ({ receipt }: { receipt: Receipt }) => {
  const side = sideOfEvent(receipt.event_type);
  return <SideGlyph side={side} labelled={side !== null} />;
};

/** A notification on its line: what it was, why it was refused or which message, and what was made of it. */
export const receiptLines = (receipt: Receipt) => (
  <ListRow
    title={
      <>
        <SideOf receipt={receipt} />
        <span className="op el">{receipt.event_type ?? "no event_type"}</span>
      </>
    }
    aside={<Time at={receipt.at} as="clock" on="real" />}
    detail={
      <span className={`${shared.about} m11`} title={receiptSentence(receipt)}>
        {receipt.reason ?? receipt.message_id ?? "no message_id"}
      </span>
    }
    state={
      <>
        <span className="t3">{receipt.status ?? "no answer"}</span>
        <State of={markOfReceipt(receipt)}>{outcomeWords(receipt)}</State>
      </>
    }
  />
);

const ItsDelivery = ({ receipt, here }: { receipt: Receipt; here: WhereTo }) => {
  const { data, isPending, error } = useQuery(deliveryOfQuery(useWorld(), receipt, here));
  if (isPending) return <span className="t3">looking for it</span>;
  if (error) return <span className="t3">could not be looked for: {error.message}</span>;
  if (!data)
    return (
      <span className="t3">
        no delivery in this world: a drill, another world’s delivery, or another program’s call
      </span>
    );
  return (
    <>
      <TextLink href={hrefs.delivery(data.id)}>
        {data.event_type} {data.label}
      </TextLink>
      {cameLater(receipt, data) && (
        <span className="t3"> had arrived before; this came after it, by a drill or from another program</span>
      )}
    </>
  );
};

const Facts = ({ receipt, here }: { receipt: Receipt; here: WhereTo }) => {
  const owner = useIntegration(receipt.integration_id);
  return (
    <KeyValue
      rows={[
        ["Delivery", <ItsDelivery key="delivery" receipt={receipt} here={here} />],
        [
          "Message",
          receipt.message_id === null ? (
            <span key="message" className="t3">
              no message_id
            </span>
          ) : (
            <Id key="message" value={receipt.message_id} what="message id" />
          ),
        ],
        [
          "Integration",
          receipt.integration_id === null ? (
            <span key="integration" className="t3">
              the body names none
            </span>
          ) : (
            <span key="integration" className="row row-1 wrap">
              <Id value={receipt.integration_id} what="integration ID" />
              {owner ? <span>{owner.organization_name}</span> : <span className="t3">none of this world</span>}
              {receipt.reason === "bad_signature" && <span className="t3">as the body says; not proven</span>}
            </span>
          ),
        ],
        ["Arrived", <Time key="at" at={receipt.at} as="precise" on="real" />],
      ]}
    />
  );
};

/** One notification as it came: what was made of it and why, the four verdicts, every byte, and the delivery it was. */
export const ReceiptDetail = ({
  receipt,
  here,
  behaviour,
}: {
  receipt: Receipt;
  /** Where it was received. */
  here: WhereTo;
  /** What the receiver does now; the sink's never changes. */
  behaviour?: ReceiverBehaviour;
}) => {
  const bytes = useMemo(() => bytesFromBase64(receipt.body_base64), [receipt.body_base64]);
  const openInLab = useOpenInLab();
  return (
    <article
      className="col grow scroll"
      aria-label={`${outcomeWords(receipt)}: ${receipt.event_type ?? "no event_type"}`}
    >
      <header className={`row wrap ${shared.bar}`}>
        <SideOf receipt={receipt} />
        <h2 className="op el">{receipt.event_type ?? "no event_type"}</h2>
        <State of={markOfReceipt(receipt)} pill>
          {outcomeWords(receipt)}
        </State>
        <span className="grow" />
        <Button
          small
          icon={IconFlask}
          onClick={() =>
            openInLab({
              body: bytes,
              header: signatureIn(receipt.headers),
              at: receipt.at,
              from: here.kind === "sink" ? "the test receiver" : "a built-in receiver",
            })
          }
          title="Walk through its verification"
        >
          Open in the lab
        </Button>
      </header>
      <p className={shared.part}>{receiptSentence(receipt, behaviour)}</p>
      <section aria-label="Verification" className="hl">
        <VerificationSteps
          verification={receipt.verification}
          judged={{ bytes, headers: receipt.headers, at: receipt.at }}
        />
      </section>
      <div className={shared.part}>
        <Facts receipt={receipt} here={here} />
      </div>
      <MessagePane bytes={bytes} headers={receipt.headers} label="Body" total={receipt.body_bytes} wire="as it came" />
    </article>
  );
};
