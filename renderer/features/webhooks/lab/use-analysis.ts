import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RejectReason } from "../../../../sandbox/contract/signature.ts";
import { useCredentials } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { useNow } from "../../../lib/world-clock.ts";
import { canCompute, fieldOf } from "../message/notification.ts";
import type { Explained } from "./explain-signature.ts";
import type { Finding } from "./finding.ts";
import { judge, type StepVerdict } from "./judge.ts";
import { explainQuery, knownSecrets, sentQuery } from "./lab-queries.ts";
import { bytesOfBody, type Pasted } from "./lab-store.ts";
import { type PastedHeader, readHeader } from "./pasted-header.ts";
import { signatureFindings } from "./signature-findings.ts";
import { parseStamp, readStamp } from "./stamp.ts";
import { stampFinding } from "./stamp-finding.ts";

/** What the lab makes of what was pasted. */
export interface Analysis {
  /** The bytes; null when the body is not in the coding it is said to be in. */
  readonly body: Uint8Array | null;
  readonly header: PastedHeader;
  readonly secret: string | null;
  /** Why there is no secret to check with, as a sentence. */
  readonly noSecret: string | null;
  /** The moment it is judged at; null when what was typed is no time. */
  readonly now: number | null;
  readonly steps: readonly StepVerdict[];
  readonly findings: readonly Finding[];
  readonly explained: Explained | null;
  /** What a correct consumer answers it with; null when it acknowledges. */
  readonly reason: RejectReason | null;
}

const reasons: Readonly<Record<StepVerdict["step"], RejectReason>> = {
  header_present: "missing_signature",
  signature_matches: "bad_signature",
  timestamp_parses: "missing_timestamp",
  within_window: "stale_timestamp",
};

const nothing = new Uint8Array();

/** The value of a header that was found, under whichever name. */
export const signatureValue = (header: PastedHeader): string | null =>
  header.kind === "found" || header.kind === "misnamed" ? header.value : null;

const useSecret = ({ secretOf, secret }: Pasted, body: Uint8Array) => {
  const { data: credentials = [] } = useCredentials();
  const others = useMemo(() => knownSecrets(credentials), [credentials]);
  const integrationId = secretOf === "body" ? fieldOf(body, "integration_id") : secretOf;
  const owner = credentials.find(({ integration_id }) => integration_id === integrationId);
  if (secretOf === "pasted")
    return { others, secret: secret === "" ? null : secret, noSecret: secret === "" ? "Paste the secret." : null };
  if (owner?.webhook_secret !== undefined) return { others, secret: owner.webhook_secret, noSecret: null };
  return {
    others,
    secret: null,
    noSecret:
      integrationId === null
        ? "The body names no integration, so nobody can tell whose secret it is. Choose one, or paste it."
        : "This world holds no secret of the integration the body names. Choose one, or paste it.",
  };
};

/** Judges what was pasted, anew with every change and every second. */
export const useAnalysis = (pasted: Pasted): Analysis => {
  const world = useWorld();
  const [typed] = useDebouncedValue(pasted, 120);
  const clock = useNow("real", 1000);
  const body = useMemo(() => bytesOfBody(typed), [typed]);
  const bytes = body ?? nothing;
  const header = useMemo(() => readHeader(typed.header), [typed]);
  const { others, secret, noSecret } = useSecret(typed, bytes);
  const value = signatureValue(header);
  const { data: sent = [] } = useQuery({ ...sentQuery(world, bytes), enabled: bytes.length > 0 });
  const { data } = useQuery({
    ...explainQuery({
      bodyKey: `${typed.coding}:${typed.body}`,
      body: bytes,
      value: value ?? "",
      secret: secret ?? "",
      others,
      sent,
    }),
    enabled: body !== null && value !== null && secret !== null && canCompute(),
  });
  const explained = value === null || secret === null || body === null ? null : (data ?? null);
  const at = typed.at.trim();
  const now = at === "" ? clock : parseStamp(at);
  const stamp = useMemo(() => readStamp(bytes), [bytes]);
  const steps = judge(header, explained, stamp, now ?? clock);
  const failed = steps.find(({ verdict }) => verdict === "failed");
  const ofStamp = stampFinding(stamp, now ?? clock);
  return {
    body,
    header,
    secret,
    noSecret,
    now,
    steps,
    findings: [
      ...(explained !== null || value === null ? signatureFindings(header, explained) : []),
      ...(ofStamp ? [ofStamp] : []),
    ],
    explained,
    reason: failed ? reasons[failed.step] : null,
  };
};
