import { useQuery } from "@tanstack/react-query";
import type { Attempt, Delivery } from "../../../sandbox/contract/control/rows.ts";
import { SIGNATURE_HEADER } from "../../../sandbox/contract/events.ts";
import { useCredentials } from "../../app/acting.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Origin } from "../../components/origin.tsx";
import { State } from "../../components/state.tsx";
import { bytesFromBase64 } from "../../lib/bytes.ts";
import { formatBytes, maskSecret } from "../../lib/formatting.ts";
import { canCompute, computeSignature, signatureOf } from "./notification.ts";

/** A signature whose differences to another are marked, character by character. */
const Signature = ({ value, against }: { value: string; against: string }) => (
  <span className="m wrapany">
    {[...value].map((character, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the characters of a signature never move
      <span key={index} className={character === against[index] ? undefined : "webhooks-differs"}>
        {character}
      </span>
    ))}
  </span>
);

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
      <dl className="webhooks-signatures">
        <dt>Received</dt>
        <dd>
          {received === null ? (
            <span className="t3">no {SIGNATURE_HEADER} header</span>
          ) : (
            <Signature value={received} against={computed} />
          )}
        </dd>
        <dd>{received !== null && <CopyButton text={received} what="the received signature" />}</dd>
        <dt>Computed</dt>
        <dd>
          <Signature value={computed} against={received ?? ""} />
        </dd>
        <dd>
          <CopyButton text={computed} what="the computed signature" />
        </dd>
      </dl>
      <div className="webhooks-verdict">
        {received === computed ? <State of="passed">equal</State> : <State of="refused">different</State>}
        <span className="t2">
          base64 of HMAC-SHA256 over the {formatBytes(bytes.length)} as stored, keyed with{" "}
          <span className="m11">{maskSecret(secret)}</span>, computed in this page. Never over re-serialised JSON.{" "}
          <Origin of="contract" />
        </span>
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
