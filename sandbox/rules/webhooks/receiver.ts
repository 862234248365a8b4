import type { Receipt, ReceiverBehaviour } from "../../contract/control/receiver-operations.ts";
import type { RejectReason } from "../../contract/signature.ts";

/** What the built-in receivers give as their reason where their behaviour says so. */
export const AS_CONFIGURED = "configured_to_fail";

/** Every answer of the sandbox's sink and built-in receivers has it, over whatever address and proxy it is reached. */
export const SANDBOX_RECEIVER_HEADER = "x-sandbox-receiver";

/** Whether a sandbox itself answered: no receiver of a partner's. @param headers with lower-case names */
export const isSandboxAnswer = (headers: readonly (readonly [string, string])[]): boolean =>
  headers.some(([name]) => name === SANDBOX_RECEIVER_HEADER);

/** What a receiver makes of an arrival; `status` is null where it does not answer. */
export interface Decision extends Pick<Receipt, "outcome" | "status"> {
  readonly body: object;
}

/** What a correct receiver answers (D78). @param repeat whether this message was acknowledged before */
export const answerTo = (reason: RejectReason | null, repeat: boolean): Decision & { readonly status: number } => {
  if (reason === null)
    return { outcome: repeat ? "repeated" : "accepted", status: 200, body: { ok: true, deduped: repeat } };
  const status = reason === "missing_signature" || reason === "bad_signature" ? 401 : 400;
  return { outcome: "refused", status, body: { ok: false, reason } };
};

/**
 * Decides in the order a server would: what its behaviour holds back comes first, as a server that is down sees no
 * signature; then the verification, and only then the repeat.
 *
 * @param counted how many arrived before, since the behaviour was set
 * @param reason what the verification found
 * @param repeat whether this message was acknowledged before
 */
export const decide = (
  { answer, status, first, verify, deduplicate }: ReceiverBehaviour,
  counted: number,
  reason: RejectReason | null,
  repeat: boolean,
): Decision => {
  const heldBack = answer !== "accept" && (first === null || counted < first);
  if (heldBack && answer === "time_out") return { outcome: "held", status: null, body: {} };
  if (heldBack) return { outcome: "failed", status, body: { ok: false, reason: AS_CONFIGURED } };
  return answerTo(verify ? reason : null, deduplicate && repeat);
};
