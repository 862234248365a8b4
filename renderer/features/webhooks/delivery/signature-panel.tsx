import { IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../../app/acting.ts";
import { Button } from "../../../components/button.tsx";
import { Origin } from "../../../components/origin.tsx";
import { State } from "../../../components/state.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { formatBytes, maskSecret } from "../../../lib/formatting.ts";
import { addresses } from "../addresses.ts";
import { useLab } from "../lab/lab-store.ts";
import { canCompute, computeSignature, signatureOf } from "../message/notification.ts";
import { SignatureComparison } from "../message/signature-comparison.tsx";

/** Takes a try to the lab, where its parts can be changed. */
const OpenInLab = ({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) => {
  const [, navigate] = useLocation();
  const load = useLab((state) => state.load);
  return (
    <Button
      small
      icon={IconFlask}
      onClick={() => {
        load({
          body: bytesFromBase64(attempt.request_body_base64),
          header: signatureOf(attempt),
          at: attempt.started_at,
          from: `try ${attempt.number} of ${delivery.event_type} ${delivery.label}`,
        });
        navigate(addresses.lab);
      }}
    >
      Open in the lab
    </Button>
  );
};

const Computed = ({ delivery, attempt, secret }: { delivery: Delivery; attempt: Attempt; secret: string }) => {
  const received = signatureOf(attempt);
  const bytes = bytesFromBase64(attempt.request_body_base64);
  const { data: computed, error } = useQuery({
    queryKey: ["signature", delivery.id, attempt.number],
    queryFn: () => computeSignature(bytes, secret),
  });
  if (error) return <p className="t2">This page could not compute the signature: {error.message}</p>;
  if (!computed) return null;
  return (
    <>
      <SignatureComparison received={received} computed={computed} />
      <div className="webhooks-verdict">
        {received === computed ? <State of="passed">equal</State> : <State of="refused">different</State>}
        <span className="t2">
          base64 of HMAC-SHA256 over the {formatBytes(bytes.length)} as stored, keyed with{" "}
          <span className="m11">{maskSecret(secret)}</span>, computed in this page. Never over re-serialised JSON.{" "}
          <Origin of="contract" />
        </span>
        <span className="grow" />
        <OpenInLab delivery={delivery} attempt={attempt} />
      </div>
    </>
  );
};

/** The signature computed here beside the one that was sent. */
export const SignaturePanel = ({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) => {
  const { data: credentials, isPending } = useCredentials();
  const secret = credentials?.find(({ integration_id }) => integration_id === delivery.integration_id)?.webhook_secret;
  const problem = !canCompute()
    ? "This address is not a secure context, so the page cannot compute; the service’s own verdict stands above. Open the explorer under 127.0.0.1 or localhost."
    : secret === undefined && !isPending
      ? "This world holds no webhook secret of that integration, so there is nothing to compute with."
      : null;
  return (
    <div className="webhooks-signature">
      {problem && <p className="t2">{problem}</p>}
      {!problem && secret !== undefined && <Computed delivery={delivery} attempt={attempt} secret={secret} />}
    </div>
  );
};
