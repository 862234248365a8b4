import { NOT_SENT_AFTER_RESTORE } from "../../../sandbox/contract/control/failure-words.ts";
import type { Attempt, DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { type RejectReason, rejectReasons, type VerificationStep } from "../../../sandbox/contract/signature.ts";
import { bytesFromBase64, jsonOf, textFromBytes } from "../../lib/bytes.ts";
import { fieldIn } from "../../lib/field-in.ts";
import type { Verdict } from "../trace/verdict.ts";

/** D72: how long one attempt may take. */
export const LONGEST_ATTEMPT_MS = 10_000;

type Outcome = "acknowledged" | "broken" | "refused" | "unanswered";

/** Only 200 acknowledges, and only where the whole answer came or was cut by the service (D72). */
export const outcomeOf = ({ response_status, error }: Pick<Attempt, "response_status" | "error">): Outcome => {
  if (response_status === null) return "unanswered";
  if (response_status !== 200) return "refused";
  return error === null ? "acknowledged" : "broken";
};

/** Whether no attempt ended it, and no schedule: it was pending in a snapshot, and the world was restored from that. */
export const endedByRestore = ({ status, last_error }: Pick<DeliveryRow, "status" | "last_error">): boolean =>
  status === "failed" && last_error === NOT_SENT_AFTER_RESTORE;

export type Answer = Pick<
  Attempt,
  "response_status" | "error" | "response_body_base64" | "duration_ms" | "verification"
>;

const LONGEST_REASON = 200;
const quoted = (text: string): string => (text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text);

/** A page for a browser, or bytes that are no text: neither gives a reason in its first line. */
const noReason = /^<|\uFFFD/;

/** What a receiver said beside its status: a field of its JSON that gives a reason, else the beginning of its text. */
export const saidIn = ({ response_body_base64 }: Pick<Answer, "response_body_base64">): string | null => {
  const bytes = bytesFromBase64(response_body_base64);
  const json = jsonOf(bytes);
  for (const name of ["reason", "message", "error", "detail", "title"]) {
    const value = fieldIn(json, name);
    if (typeof value === "string" && value !== "") return quoted(value);
  }
  const [line = ""] = textFromBytes(bytes).trim().split("\n");
  return line === "" || noReason.test(line) ? null : quoted(line);
};

/** What the sandbox's own receivers give as their reason where they do what they were told. */
const AS_TOLD = "as_this_receiver_was_told";

/** The reason of the contract in a receiver's own spelling: "Bad signature" too. */
const reasonIn = (said: string | null): RejectReason | undefined => {
  const spelled = said?.toLowerCase().replace(/[^a-z]+/g, "_");
  return rejectReasons.find((reason) => reason === spelled);
};

const sentence = (text: string): string => {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
};

const steps: Readonly<Record<VerificationStep, string>> = {
  header_present: "the signature header is missing",
  signature_matches: "the signature doesn’t match",
  timestamp_parses: "the timestamp isn’t valid",
  within_window: "the timestamp is more than 5 minutes off",
};

const remedies: Readonly<Record<RejectReason, string>> = {
  missing_signature: "Check that the receiver reads the header service-hmac-sha256 and that no proxy drops it.",
  bad_signature: "Check that the receiver uses this integration’s webhook secret and the raw bytes of the body.",
  missing_timestamp: "Check how the receiver reads webhook_timestamp.",
  stale_timestamp: "Compare the receiver’s clock with a time server. A difference of 5 minutes is allowed.",
};

const remedyOf = (status: number, said: string | null): string => {
  const reason = reasonIn(said);
  if (reason) return remedies[reason];
  if (status < 300) return "Respond with 200.";
  if (status < 400) return "Answer 200 at this address itself, without a redirect.";
  if (status === 401 || status === 403)
    return "Check the receiver’s webhook secret and that no proxy asks for a login.";
  if (status === 404 || status === 405 || status === 410)
    return "Check the path of the URL and that the receiver accepts POST.";
  return "Check the receiver’s log at the time of the attempt.";
};

/** What is sent again and how soon, that an answer is whole, in time and no redirect. The contract says no more than 200. */
const ASSUMED = "D72";

/** What came back from a receiver that did not acknowledge, as a sentence. @param said what it gave as its reason */
export const failureWords = (
  { status, error }: { readonly status: number | null; readonly error: string | null },
  said: string | null = null,
): string => {
  if (status === null) return sentence(error ?? "no response");
  if (status === 200) return `The receiver answered 200, but ${error}.`;
  return `The receiver answered ${status}${said === null ? "" : `: “${said}”`}.${error ? ` ${sentence(error)}` : ""}`;
};

/** The receiver answered, and not with 200. */
const refused = (answer: Answer, status: number): Verdict => {
  const said = saidIn(answer);
  if (said === AS_TOLD)
    return {
      cause: `The built-in receiver answered ${status}, as configured.`,
      whose: "Nothing is wrong with the notification.",
      assumption: null,
      remedy: "Change the receiver’s behaviour.",
    };
  const wrong = answer.verification.find(({ verdict }) => verdict === "failed");
  return {
    cause: failureWords({ status, error: answer.error }, said),
    whose: wrong
      ? `The cause is on the sandbox’s side: ${steps[wrong.step]}.`
      : status < 300
        ? "The cause is on the receiver’s side: the contract requires 200. Retrying after any other response is an assumption."
        : status < 400
          ? "The cause is on the receiver’s side: redirects are not followed."
          : status < 500
            ? "Signature and timestamp were correct when it was sent, so the cause is on the receiver’s side."
            : "The cause is on the receiver’s side.",
    assumption: wrong || status >= 400 ? null : ASSUMED,
    remedy: wrong ? "Resend it. It gets a new signature and timestamp." : remedyOf(status, said),
  };
};

const causeOf = (answer: Answer): Verdict => {
  const { response_status, error, duration_ms } = answer;
  if (response_status === null) {
    const late = duration_ms >= LONGEST_ATTEMPT_MS;
    return {
      cause: failureWords({ status: null, error }),
      whose: `The cause is on the receiver’s side or the network${late ? ": an attempt times out after 10 seconds" : ""}.`,
      assumption: late ? ASSUMED : null,
      remedy: late
        ? "Check that the receiver can be reached and that it responds before it starts processing."
        : "Check that the receiver is running and that the URL is correct.",
    };
  }
  if (response_status === 200)
    return {
      cause: failureWords({ status: 200, error }),
      whose: "The cause is on the receiver’s side: an incomplete 200 response doesn’t acknowledge the delivery.",
      assumption: ASSUMED,
      remedy: "Send the whole response before you close the connection.",
    };
  return refused(answer, response_status);
};

/**
 * The verdict on an attempt of a delivery; null for one that was acknowledged.
 *
 * @param ended its subscription has ended
 */
export const deliveryVerdict = (
  { status }: Pick<DeliveryRow, "status">,
  answer: Answer,
  ended: boolean,
): Verdict | null => {
  if (outcomeOf(answer) === "acknowledged") return null;
  const verdict = causeOf(answer);
  const then = ended ? " Then subscribe the URL again." : status === "failed" ? " Then resend it." : "";
  return { ...verdict, remedy: verdict.remedy + then };
};
