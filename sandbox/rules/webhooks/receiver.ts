import type { Receipt, ReceiverBehaviour } from "../../contract/control/receiver-operations.ts";
import type { RejectReason } from "../../contract/signature.ts";

/** Reason given by built-in receivers that are configured to fail. */
export const AS_CONFIGURED = "configured_to_fail";

/** Header on all responses of the sandbox's receivers, independent of address and proxy. */
export const SANDBOX_RECEIVER_HEADER = "x-sandbox-receiver";

/** Checks whether a sandbox responded instead of a partner's receiver. @param headers with lower-case names */
export const isSandboxAnswer = (headers: readonly (readonly [string, string])[]): boolean =>
  headers.some(([name]) => name === SANDBOX_RECEIVER_HEADER);

/** A receiver's reaction to an arrival; `status` is null for no response. */
export interface Decision extends Pick<Receipt, "outcome" | "status"> {
  readonly body: object;
}

/** Response of a correct receiver (D78). @param repeat whether this message was already acknowledged */
export const createCorrectResponse = (
  reason: RejectReason | null,
  repeat: boolean,
): Decision & { readonly status: number } => {
  if (reason === null)
    return { outcome: repeat ? "repeated" : "accepted", status: 200, body: { ok: true, deduped: repeat } };
  const status = reason === "missing_signature" || reason === "bad_signature" ? 401 : 400;
  return { outcome: "refused", status, body: { ok: false, reason } };
};

/**
 * Decides in a server's order: configured failures first, because a server that is down sees no signature; then
 * verification, then the repeat check.
 *
 * @param counted arrivals since the behaviour was set
 * @param reason result of the verification
 * @param repeat whether this message was already acknowledged
 */
export const decideResponse = (
  { answer, status, first, verify, deduplicate }: ReceiverBehaviour,
  counted: number,
  reason: RejectReason | null,
  repeat: boolean,
): Decision => {
  const heldBack = answer !== "accept" && (first === null || counted < first);
  if (heldBack && answer === "time_out") return { outcome: "held", status: null, body: {} };
  if (heldBack) return { outcome: "failed", status, body: { ok: false, reason: AS_CONFIGURED } };
  return createCorrectResponse(verify ? reason : null, deduplicate && repeat);
};
