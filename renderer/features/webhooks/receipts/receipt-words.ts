import type {
  Receipt,
  ReceiverBehaviour,
  receiptOutcomes,
} from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { Side } from "../../../../sandbox/contract/control/rows.ts";
import { events, isEventType } from "../../../../sandbox/contract/event-types.ts";
import type { RejectReason } from "../../../../sandbox/contract/signature.ts";
import type { StateName } from "../../../components/state.tsx";

type Outcome = (typeof receiptOutcomes)[number];

const outcomes: Readonly<Record<Outcome, readonly [mark: StateName, words: string]>> = {
  accepted: ["passed", "accepted"],
  repeated: ["done", "repeat"],
  refused: ["refused", "refused"],
  failed: ["failed", "turned away"],
  held: ["running", "left waiting"],
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
    missing_signature: "It came without the header service-hmac-sha256, so nothing proves who sent it.",
    bad_signature: `Its signature does not hold: ${detail}.`,
    missing_timestamp: "Its webhook_timestamp is missing, or is no time with a zone.",
    stale_timestamp: `It was stamped more than five minutes from the moment it came: ${detail}.`,
  };
  return sentences[reason];
};

const otherwise = (reason: string | null): string =>
  reason === null ? "Nothing was wrong with it." : `It would not have passed: ${reason}`;

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
  const unproven =
    reason === null ? "" : ` It should have been refused, and this receiver did not verify it. ${reason}`;
  switch (receipt.outcome) {
    case "refused":
      return `Refused with ${receipt.status ?? 0}. ${reason ?? ""}`.trimEnd();
    case "repeated":
      return `Its message_id had been accepted before: acknowledged again, and nothing else was done.${unproven}`;
    case "failed":
      return `Answered ${receipt.status ?? 0}, as it was told to. ${otherwise(reason)}`;
    case "held":
      return `Left without an answer, as it was told to: the sender gives up after ten seconds. ${otherwise(reason)}`;
    default: {
      const again =
        receipt.repeat && !behaviour.deduplicate ? " It was a repeat, and this receiver worked on it once more." : "";
      if (unproven || again) return `Acknowledged with 200.${unproven}${again}`;
      return "All four steps passed and it was new: acknowledged with 200.";
    }
  }
};
