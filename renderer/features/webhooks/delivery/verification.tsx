import { Stack } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconFlask } from "@tabler/icons-react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useId, useMemo } from "react";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../../app/acting.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { State } from "../../../components/state.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { formatBytes, maskSecret } from "../../../lib/formatting.ts";
import { attemptForLab, useOpenInLab } from "../lab/lab-store.ts";
import messageStyles from "../message/message.module.css";
import { canCompute, computeSignature, signatureIn } from "../message/notification.ts";
import { SignatureComparison, VerificationSteps } from "../message/verification-steps.tsx";
import { useIntegration } from "../parts.tsx";
import { useWebhooks } from "../webhooks-store.ts";

/** The signature computed here beside the one that was sent. */
const SignaturePanel = ({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) => {
  const world = useWorld();
  const openInLab = useOpenInLab();
  const { isPending } = useCredentials();
  const secret = useIntegration(delivery.integration_id)?.webhook_secret;
  const received = signatureIn(attempt.request_headers);
  const bytes = bytesFromBase64(attempt.request_body_base64);
  const { data: computed, error } = useQuery({
    queryKey: [...worldKeys(world).all, "signature", delivery.id, attempt.number, secret],
    queryFn: secret !== undefined && canCompute() ? () => computeSignature(bytes, secret) : skipToken,
  });
  const problem = !canCompute()
    ? "Signatures can’t be computed at this address. The service’s result is shown above. Open the explorer at 127.0.0.1 or localhost."
    : secret === undefined && !isPending
      ? "This world has no webhook secret for that integration."
      : error && `Couldn’t compute the signature: ${error.message}`;
  return (
    <Stack className="hb t12" gap="sm" pt={10} px="lg" pb="md" bg="var(--canvas)">
      {problem && <p className="t2">{problem}</p>}
      {computed && secret && (
        <>
          <SignatureComparison name="Sent" received={received} computed={computed} />
          <div className="row">
            {received === computed ? <State of="passed">equal</State> : <State of="refused">different</State>}
            <span className="grow t2">
              base64 of HMAC-SHA256 over the {formatBytes(bytes.length)} as stored, keyed with{" "}
              <span className="m11">{maskSecret(secret)}</span>, computed in this page. Never over re-serialised JSON.{" "}
              <Origin of="contract" />
            </span>
            <Button small icon={IconFlask} onClick={() => openInLab(attemptForLab(delivery, attempt))}>
              Open in the lab
            </Button>
          </div>
        </>
      )}
    </Stack>
  );
};

/** The verification over the stored bytes of an attempt; its second step opens the signatures beside each other. */
export const VerificationStrip = ({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) => {
  const comparing = useWebhooks((state) => state.comparing);
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
      className={`lnk row ${messageStyles.compare}`}
      aria-expanded={comparing}
      aria-controls={panel}
      onClick={() => useWebhooks.setState({ comparing: !comparing })}
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
