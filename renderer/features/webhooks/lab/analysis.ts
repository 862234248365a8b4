import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Credential } from "../../../../sandbox/contract/control/rows.ts";
import { rejectReasons } from "../../../../sandbox/contract/signature.ts";
import { sideWord } from "../../../components/side.tsx";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { useNow } from "../../../lib/world-clock.ts";
import { canCompute, notificationField } from "../message/notification.ts";
import { evaluateSteps, parseStamp, readHeader, readStamp } from "./evaluate-steps.ts";
import { explainSignature, type KnownSecret } from "./explain-signature.ts";
import { signatureFindings, stampFinding } from "./findings.ts";
import { decodePasted, type Pasted } from "./lab-store.ts";

const nothing = new Uint8Array();

/** This world's webhook secrets and API keys, which people confuse. */
const knownSecrets = (credentials: readonly Credential[]): KnownSecret[] =>
  credentials.flatMap(({ webhook_secret, api_key, organization_name, scope }) => {
    const whose = `${sideWord(scope)}: ${organization_name}`;
    return [
      ...(webhook_secret === undefined ? [] : [{ name: `the secret of ${whose}`, secret: webhook_secret }]),
      ...(api_key === undefined ? [] : [{ name: `the API key of ${whose}`, secret: api_key }]),
    ];
  });

const useSecrets = ({ secretOf, secret: typed }: Pasted, named: string | null) => {
  const { data: credentials = [] } = useCredentials();
  const others = useMemo(() => knownSecrets(credentials), [credentials]);
  if (secretOf === "pasted") return { others, secret: typed || null, noSecret: typed ? null : "Paste the secret." };
  const id = secretOf === "body" ? named : secretOf;
  const secret = credentials.find(({ integration_id }) => integration_id === id)?.webhook_secret ?? null;
  const missing =
    id === null
      ? "The body has no integration ID. Choose a secret, or paste one."
      : "This world has no secret for the integration in the body. Choose one, or paste it.";
  return { others, secret, noSecret: secret === null ? missing : null };
};

/** Verifies pasted values, after every change and every second. */
export const useAnalysis = (pasted: Pasted) => {
  const clock = useNow("real", 1000);
  const body = useMemo(() => decodePasted(pasted), [pasted]);
  const bytes = body ?? nothing;
  const header = useMemo(() => readHeader(pasted.header), [pasted.header]);
  const { others, secret, noSecret } = useSecrets(pasted, notificationField(bytes, "integration_id"));
  const value = header.kind === "none" ? null : header.value;
  const question = body !== null && value !== null && secret !== null && { body, value, secret, others };
  const { data, isPlaceholderData, isLoading } = useQuery({
    queryKey: ["lab", pasted.body, pasted.coding, value, secret, others],
    queryFn: question && canCompute() ? ({ signal }) => explainSignature(question, signal) : skipToken,
    // Secrets are dropped as soon as nothing shows them.
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  // Without a new question, the last result stays.
  const explained = (question && data) || null;
  const at = pasted.at.trim();
  const now = at === "" ? clock : parseStamp(at);
  const stamp = readStamp(bytes);
  const steps = evaluateSteps(header, explained, stamp, now ?? clock);
  const ofStamp = stampFinding(stamp, now ?? clock);
  return {
    /** The bytes; null for a body in the wrong encoding. */
    body,
    /** The pasted signature; null for none. */
    value,
    /** The reason for a missing secret, as a sentence. */
    noSecret,
    /** The time of verification; null when the typed text is invalid. */
    now,
    steps,
    findings: [
      ...(explained !== null || value === null ? signatureFindings(header, explained) : []),
      ...(ofStamp ? [ofStamp] : []),
    ],
    explained,
    /** True if the result belongs to the current values. */
    settled: !question || (!isPlaceholderData && !isLoading),
    /** The reason in a correct receiver's refusal; null when it acknowledges. */
    reason: rejectReasons[steps.findIndex(({ verdict }) => verdict === "failed")] ?? null,
  };
};

/** The lab's result for pasted values. */
export type Analysis = ReturnType<typeof useAnalysis>;
