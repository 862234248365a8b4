import type { Receipt, ReceiverBehaviour } from "../contract/control/receiver-rows.ts";
import type { RejectReason } from "../contract/signature.ts";

/** What a built-in receiver makes of an arrival; `status` is null where it does not answer. */
export interface Decision extends Pick<Receipt, "outcome" | "status"> {
  readonly body: object;
}

/** Statuses that are answered without a body. */
export const BODYLESS = new Set([204, 205, 304]);

/** D78: what the reference sink answers to a notification that fails the verification. */
export const refusalStatus = (reason: RejectReason): 400 | 401 =>
  reason === "missing_signature" || reason === "bad_signature" ? 401 : 400;

/**
 * Decides in the order a server would: what its behaviour holds back comes first, as a server that is down sees no
 * signature; then the verification, and only then the repeat.
 *
 * @param counted how many arrived before, since the behaviour was set
 * @param reason what the verification found
 * @param repeat whether this message was acknowledged before
 */
export const decide = (
  behaviour: ReceiverBehaviour,
  counted: number,
  reason: RejectReason | null,
  repeat: boolean,
): Decision => {
  const heldBack = behaviour.answer !== "accept" && (behaviour.first === null || counted < behaviour.first);
  if (heldBack && behaviour.answer === "time_out") return { outcome: "held", status: null, body: {} };
  if (heldBack)
    return { outcome: "failed", status: behaviour.status, body: { ok: false, reason: "as_this_receiver_was_told" } };
  if (behaviour.verify && reason !== null)
    return { outcome: "refused", status: refusalStatus(reason), body: { ok: false, reason } };
  const deduped = behaviour.deduplicate && repeat;
  return { outcome: deduped ? "repeated" : "accepted", status: 200, body: { ok: true, deduped } };
};
