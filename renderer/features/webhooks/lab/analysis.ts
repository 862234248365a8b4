import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Credential } from "../../../../sandbox/contract/control/rows.ts";
import type { RejectReason } from "../../../../sandbox/contract/signature.ts";
import { useCredentials } from "../../../app/acting.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { sideWord } from "../../../components/side.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { callControl } from "../../../lib/service-client.ts";
import { useNow } from "../../../lib/world-clock.ts";
import { deliveriesOfMessage } from "../message/delivery-of.ts";
import { fieldOf } from "../message/notification.ts";
import { canCompute } from "../message/signing.ts";
import {
  type Explained,
  explainSignature,
  type KnownSecret,
  type Question,
  type SentBody,
} from "./explain-signature.ts";
import { signatureFindings, stampFinding } from "./findings.ts";
import { judge, type PastedHeader, parseStamp, readHeader, readStamp, type StepVerdict } from "./judge.ts";
import { bytesOfBody, type Pasted } from "./lab-store.ts";

/** How many deliveries of a message are compared with. */
const MOST_DELIVERIES = 5;

/** The bytes this world sent for a message. */
const sentQuery = (world: string, integrationId: string | null, messageId: string | null) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "sent", integrationId, messageId] as const,
    queryFn: async ({ signal }): Promise<SentBody[]> => {
      const rows = await deliveriesOfMessage(world, integrationId, messageId, signal);
      const deliveries = await Promise.all(
        rows.slice(0, MOST_DELIVERIES).map(({ id }) => callControl("deliveries.get", { id, world }, { signal })),
      );
      return deliveries.flatMap(({ attempts, event_type, label }) =>
        attempts.map(({ number, request_body_base64 }) => ({
          name: `attempt ${number} of ${event_type} ${label}`,
          bytes: bytesFromBase64(request_body_base64),
        })),
      );
    },
  });

/** Every secret this world holds, and its API keys: they are mistaken for each other. */
const knownSecrets = (credentials: readonly Credential[]): KnownSecret[] =>
  credentials.flatMap(({ webhook_secret, api_key, organization_name, scope }) => {
    const whose = `${sideWord(scope)}: ${organization_name}`;
    return [
      ...(webhook_secret === undefined ? [] : [{ name: `the secret of ${whose}`, secret: webhook_secret }]),
      ...(api_key === undefined ? [] : [{ name: `the API key of ${whose}`, secret: api_key }]),
    ];
  });

/** What tells one body from another in a key: a body may be large. */
const numbers = new WeakMap<Uint8Array, number>();
let last = 0;
const numberOf = (body: Uint8Array): number => {
  const number = numbers.get(body) ?? ++last;
  numbers.set(body, number);
  return number;
};

/** What a signature turned out to be. Computed in the page, and forgotten as soon as nobody looks. */
const explainQuery = (question: Question) =>
  queryOptions({
    queryKey: [
      ...["lab", numberOf(question.body), question.value, question.secret],
      ...[question.others.length, question.sent.length],
    ],
    queryFn: ({ signal }) => explainSignature(question, signal),
    gcTime: 0,
    placeholderData: keepPreviousData,
  });

export const nothing = new Uint8Array();

interface Known extends Pick<Question, "others" | "sent"> {
  readonly body: Uint8Array | null;
  readonly secret: string | null;
}

/** What a signature turned out to be; null where there is none, or nothing to check it with. */
const useExplained = (
  value: string | null,
  { body, secret, others, sent }: Known,
): { readonly explained: Explained | null; readonly settled: boolean } => {
  const enough = body !== null && value !== null && secret !== null;
  const { data, isPlaceholderData, isLoading } = useQuery({
    ...explainQuery({ body: body ?? nothing, value: value ?? "", secret: secret ?? "", others, sent }),
    enabled: enough && canCompute(),
  });
  return { explained: enough ? (data ?? null) : null, settled: !isPlaceholderData && !isLoading };
};

const reasons: Readonly<Record<StepVerdict["step"], RejectReason>> = {
  header_present: "missing_signature",
  signature_matches: "bad_signature",
  timestamp_parses: "missing_timestamp",
  within_window: "stale_timestamp",
};

/** The value of a header that was found, under whichever name. */
export const signatureValue = (header: PastedHeader): string | null =>
  header.kind === "found" || header.kind === "misnamed" ? header.value : null;

const useSecret = ({ secretOf, secret }: Pasted, named: string | null) => {
  const { data: credentials = [] } = useCredentials();
  const others = useMemo(() => knownSecrets(credentials), [credentials]);
  const integrationId = secretOf === "body" ? named : secretOf;
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

/** A body that was pasted, and what of it is looked at; read once, as it may be large. */
const readBody = (pasted: Pick<Pasted, "body" | "coding">) => {
  const body = bytesOfBody(pasted);
  const bytes = body ?? nothing;
  const [integrationId, messageId] = [fieldOf(bytes, "integration_id"), fieldOf(bytes, "message_id")];
  return { body, integrationId, messageId, stamp: readStamp(bytes) };
};

/** Judges what was pasted, anew with every change and every second. */
export const useAnalysis = (pasted: Pasted) => {
  const world = useWorld();
  const [typed] = useDebouncedValue(pasted, 120);
  const clock = useNow("real", 1000);
  const { body: text, coding } = typed;
  const { body, integrationId, messageId, stamp } = useMemo(() => readBody({ body: text, coding }), [text, coding]);
  const header = useMemo(() => readHeader(typed.header), [typed.header]);
  const { others, secret, noSecret } = useSecret(typed, integrationId);
  const value = signatureValue(header);
  const { data: sent = [] } = useQuery(sentQuery(world, integrationId, messageId));
  const known = { body, secret, others, sent };
  const ofHeader = useExplained(value, known);
  const ofReceiver = useExplained(typed.theirs.trim() || null, known);
  const { explained } = ofHeader;
  const at = typed.at.trim();
  const now = at === "" ? clock : parseStamp(at);
  const steps = judge(header, explained, stamp, now ?? clock);
  const failed = steps.find(({ verdict }) => verdict === "failed");
  const ofStamp = stampFinding(stamp, now ?? clock);
  return {
    /** The bytes; null when the body is not in the coding it is said to be in. */
    body,
    header,
    secret,
    /** Why there is no secret to check with, as a sentence. */
    noSecret,
    /** The moment it is judged at; null when what was typed is no time. */
    now,
    steps,
    findings: [
      ...(explained !== null || value === null ? signatureFindings(header, explained) : []),
      ...(ofStamp ? [ofStamp] : []),
    ],
    explained,
    /** What the signature the receiver computed turned out to be; null when none was pasted, or it cannot be told. */
    theirs: ofReceiver.explained,
    /** Whether this is of what stands there now, not of what stood there before. */
    settled: typed === pasted && ofHeader.settled && ofReceiver.settled,
    /** What a correct receiver answers it with; null when it acknowledges. */
    reason: failed ? reasons[failed.step] : null,
  };
};

/** What the lab makes of what was pasted. */
export type Analysis = ReturnType<typeof useAnalysis>;
