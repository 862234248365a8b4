import type { Section } from "../contract/causes/sections.ts";
import type { Explanation } from "../contract/control/explain-operations.ts";
import type { Receipt } from "../contract/control/receiver-operations.ts";
import { sentence } from "../contract/errors.ts";
import { SIGNATURE_HEADER, type VerificationStep } from "../contract/signature.ts";

const SINK: Section = "Events: Reference sink";

/** Problem and remedy of each check. */
const words: Readonly<Record<VerificationStep, readonly [problem: string, remedy: string]>> = {
  header_present: ["There is no signature", `Send the signature in the header \`${SIGNATURE_HEADER}\`.`],
  signature_matches: [
    "The signature is wrong",
    "Sign the bytes of the body as they are sent, with the webhook secret of the integration that the body names, in base64.",
  ],
  timestamp_parses: ["`webhook_timestamp` is invalid", "Send `webhook_timestamp` as an ISO 8601 time."],
  within_window: [
    "`webhook_timestamp` is too far from now",
    "Send the current time as `webhook_timestamp`, in UTC or with its offset. A difference of 5 minutes is allowed.",
  ],
};

/** Explains a call to the sink by its checks, as `sink.list` shows it. */
export const explainReceipt = ({ id, reason, status, outcome, verification }: Receipt): Explanation => {
  const failed = verification.find(({ verdict }) => verdict === "failed");
  return {
    ...{ id, operation: null, checks: [], correction: null, suggestions: [], more_suggestions: 0, ignored: [] },
    nearest: null,
    refusal:
      outcome === "refused" && failed
        ? {
            sentence: sentence(`${words[failed.step][0]}: ${failed.detail}`),
            ...{ code: reason, status: status ?? 0, whose_side: "partner", cause: reason, pointers: [] },
            ...{ section: SINK, decisions: [], what_to_do: words[failed.step][1] },
          }
        : null,
  };
};
