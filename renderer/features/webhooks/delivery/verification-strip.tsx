import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useId, useMemo } from "react";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { Icon } from "../../../components/icon.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { VerificationSteps } from "../message/verification-steps.tsx";
import { useWebhooks } from "../webhooks-store.ts";
import { SignaturePanel } from "./signature-panel.tsx";

/** The verification over the stored bytes of a try; its second step opens the signatures beside each other. */
export const VerificationStrip = ({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) => {
  const comparing = useWebhooks((state) => state.comparing);
  const toggle = useWebhooks((state) => state.toggleComparing);
  const panel = useId();
  const judged = useMemo(
    () => ({
      bytes: bytesFromBase64(attempt.request_body_base64),
      headers: attempt.request_headers,
      at: attempt.started_at,
    }),
    [attempt],
  );
  const compare = (
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
      <VerificationSteps verification={attempt.verification} judged={judged} beside={{ signature_matches: compare }} />
      <div id={panel} hidden={!comparing}>
        {comparing && <SignaturePanel delivery={delivery} attempt={attempt} />}
      </div>
    </section>
  );
};
