import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import type { Attempt, Delivery } from "../../../sandbox/contract/control/rows.ts";
import { SIGNATURE_HEADER, type VerificationStep } from "../../../sandbox/contract/events.ts";
import { Icon } from "../../components/icon.tsx";
import { State } from "../../components/state.tsx";
import { bytesFromBase64 } from "../../lib/bytes.ts";
import { fieldOf, shortSignature, signatureOf } from "./notification.ts";
import { SignaturePanel } from "./signature-panel.tsx";
import { useWebhooks } from "./webhooks-store.ts";

const names: Record<VerificationStep, string> = {
  header_present: "Header present",
  signature_matches: "Signature matches",
  timestamp_parses: "Stamp parses",
  within_window: "Within 5 minutes",
};

const states = { passed: "passed", failed: "refused", skipped: "skipped" } as const;

/** "22:05:07.204Z": the clock part of a stamp, as it was written. */
const clockPart = (stamp: string) => stamp.split("T")[1] ?? stamp;

/** What each step looks at, so that its verdict can be checked by eye. */
const lookedAt = (step: VerificationStep, attempt: Attempt): { text: string; title: string } => {
  const signature = signatureOf(attempt);
  const stamp = fieldOf(bytesFromBase64(attempt.request_body_base64), "webhook_timestamp");
  switch (step) {
    case "header_present":
      return { text: SIGNATURE_HEADER, title: SIGNATURE_HEADER };
    case "signature_matches":
      return { text: signature ? shortSignature(signature) : "no header", title: signature ?? "" };
    case "timestamp_parses":
      return { text: stamp ? clockPart(stamp) : "no webhook_timestamp", title: stamp ?? "" };
    default:
      return { text: `at ${clockPart(attempt.started_at)}`, title: `The clock of the check: ${attempt.started_at}` };
  }
};

/** The four steps of the contract's verification order, one verdict each, over the stored bytes of a try. */
export const VerificationStrip = ({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) => {
  const comparing = useWebhooks((state) => state.comparing);
  const toggle = useWebhooks((state) => state.toggleComparing);
  const panel = useId();
  const compare: ReactNode = (
    <button
      type="button"
      className="lnk webhooks-compare"
      aria-expanded={comparing}
      aria-controls={panel}
      onClick={toggle}
    >
      Compare<span className="sr"> the signatures</span>{" "}
      <Icon of={comparing ? IconChevronUp : IconChevronDown} size={12} />
    </button>
  );
  return (
    <section aria-label="Verification">
      <ol className="webhooks-steps">
        {attempt.verification.map(({ step, verdict, detail }, index) => {
          const seen = lookedAt(step, attempt);
          return (
            <li key={step}>
              <h3>
                <i>{index + 1}</i>
                {names[step]}
                {step === "signature_matches" && compare}
              </h3>
              <span className="m11" title={seen.title}>
                {seen.text}
              </span>
              <State of={states[verdict]} title={`${verdict}: ${detail}`}>
                <span className="sr">{verdict}: </span>
                {detail}
              </State>
            </li>
          );
        })}
      </ol>
      <div id={panel} hidden={!comparing}>
        {comparing && <SignaturePanel delivery={delivery} attempt={attempt} />}
      </div>
    </section>
  );
};
