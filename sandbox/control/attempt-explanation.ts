import type { Attempt, AttemptExplanation } from "../contract/control/rows.ts";
import { ATTEMPT_LIMIT_MS, refusalSentence } from "../contract/control/words.ts";
import { type RejectReason, rejectReasons, type VerificationStep } from "../contract/signature.ts";
import { readText, tryParseJson } from "../rules/json/untyped.ts";
import { AS_CONFIGURED } from "../rules/webhooks/receiver.ts";
import { attemptRemedies, findStatusRemedy, findTransportRemedy } from "../rules/webhooks/transport-faults.ts";

/** Decision on retries, time limit, complete responses and redirects. The contract only defines 200. */
const DECISION = "D72";
const MAX_REASON_CHARS = 200;

type AttemptResponse = Pick<
  Attempt,
  "response_status" | "error" | "response_headers" | "response_body_base64" | "duration_ms" | "verification"
>;

const quoted = (text: string): string =>
  text.length > MAX_REASON_CHARS ? `${text.slice(0, MAX_REASON_CHARS)}…` : text;

/** An HTML page or binary data, whose first line gives no reason. */
const noReason = /^<|\uFFFD/;

const REASONS = ["reason", "message", "error", "detail", "title"];

/** The receiver's reason: a field of its JSON, or the beginning of its text. */
const readReason = ({ response_body_base64 }: AttemptResponse): string | null => {
  const text = Buffer.from(response_body_base64, "base64").toString("utf8");
  const body = tryParseJson(text);
  const reason = REASONS.map((name) => readText(body, name)).find((value) => value !== undefined && value !== "");
  if (reason !== undefined) return quoted(reason);
  const [line = ""] = text.trim().split("\n");
  return line === "" || noReason.test(line) ? null : quoted(line);
};

/** Note about an unreadable compressed response. The service never asks for compression. */
const describeCompression = ({ response_headers, response_body_base64 }: AttemptResponse): string | null => {
  const coding = response_headers.find(([name]) => name.toLowerCase() === "content-encoding")?.[1];
  const text = Buffer.from(response_body_base64, "base64").toString("utf8");
  return coding !== undefined && text.includes("\uFFFD")
    ? `its reason can’t be read, because the response is compressed (${coding}) without being asked to`
    : null;
};

/** Contract reason in a receiver's own spelling, such as "Bad signature". */
const parseRejectReason = (receiverReason: string | null): RejectReason | undefined => {
  const spelled = receiverReason?.toLowerCase().replace(/[^a-z]+/g, "_");
  const exact = rejectReasons.find((reason) => reason === spelled);
  return exact ?? (/signature|hmac/.test(spelled ?? "") ? "bad_signature" : undefined);
};

const steps: Readonly<Record<VerificationStep, string>> = {
  header_present: "the signature header is missing",
  signature_matches: "the signature doesn’t match",
  timestamp_parses: "the timestamp isn’t valid",
  within_window: "the timestamp is more than 5 minutes off",
};

const remedies: Readonly<Record<RejectReason, string>> = {
  missing_signature: "Check that the receiver reads the header service-hmac-sha256 and that no proxy drops it.",
  bad_signature:
    "Check that the receiver uses this integration’s webhook secret and the raw bytes of the body, not JSON that it parsed and wrote again.",
  missing_timestamp: "Check how the receiver reads webhook_timestamp.",
  stale_timestamp: "Compare the receiver’s clock with a time server. A difference of 5 minutes is allowed.",
};

const findRemedy = (status: number, receiverReason: string | null): string => {
  const reason = parseRejectReason(receiverReason);
  return reason ? remedies[reason] : findStatusRemedy(status);
};

const refused = (response: AttemptResponse, status: number): AttemptExplanation => {
  const receiverReason = readReason(response);
  if (receiverReason === AS_CONFIGURED)
    return {
      sentence: `The built-in receiver returned ${status}, as configured.`,
      whose: "Nothing is wrong with the notification.",
      decision: null,
      what_to_do: "Change the receiver’s behaviour.",
    };
  const wrong = response.verification.find(({ verdict }) => verdict === "failed");
  return {
    sentence: refusalSentence({ status, error: response.error ?? describeCompression(response) }, receiverReason),
    whose: wrong
      ? `The cause is on the sandbox’s side: ${steps[wrong.step]}.`
      : status < 300
        ? "The cause is on the receiver’s side: the contract requires 200. Retrying after any other response is an assumption."
        : status < 400
          ? "The cause is on the receiver’s side: redirects are not followed."
          : status < 500
            ? "Signature and timestamp were correct when it was sent, so the cause is on the receiver’s side."
            : "The cause is on the receiver’s side.",
    decision: wrong || status >= 400 ? null : DECISION,
    what_to_do: wrong ? "Send it again. It gets a new signature and timestamp." : findRemedy(status, receiverReason),
  };
};

const explainCause = (response: AttemptResponse): AttemptExplanation | null => {
  const { response_status: status, error, duration_ms } = response;
  if (status === null) {
    const remedy = findTransportRemedy(error);
    if (remedy)
      return {
        ...{ sentence: refusalSentence({ status, error }), whose: "The cause is on the receiver’s side." },
        ...{ decision: null, what_to_do: remedy },
      };
    const late = duration_ms >= ATTEMPT_LIMIT_MS;
    return {
      sentence: refusalSentence({ status, error }),
      whose: `The cause is on the receiver’s side or the network${late ? ": an attempt times out after 10 seconds" : ""}.`,
      decision: late ? DECISION : null,
      what_to_do: late ? attemptRemedies.timedOut : attemptRemedies.unreachable,
    };
  }
  if (status !== 200) return refused(response, status);
  // Only 200 acknowledges, and only if the response is complete or the service cut it off.
  if (error === null) return null;
  return {
    sentence: refusalSentence({ status, error }),
    whose: "The cause is on the receiver’s side: an incomplete 200 response doesn’t acknowledge the delivery.",
    decision: DECISION,
    what_to_do: attemptRemedies.incomplete,
  };
};

/**
 * Explains why an attempt didn't acknowledge a delivery; null for an acknowledged one (D72).
 *
 * @param left remaining action: `subscribe` after its subscription ended, `resend` after it failed for good
 */
export const explainAttempt = (
  response: AttemptResponse,
  left: "subscribe" | "resend" | null,
): AttemptExplanation | null => {
  const cause = explainCause(response);
  if (cause === null || left === null) return cause;
  const then = left === "subscribe" ? "Then subscribe the URL again." : "Then send it again.";
  return { ...cause, what_to_do: `${cause.what_to_do} ${then}` };
};
