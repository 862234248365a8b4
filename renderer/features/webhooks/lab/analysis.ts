import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Credential } from "../../../../sandbox/contract/control/rows.ts";
import { rejectReasons } from "../../../../sandbox/contract/signature.ts";
import { useCredentials } from "../../../app/acting.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { sideWord } from "../../../components/side.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { callControl } from "../../../lib/service-client.ts";
import { useNow } from "../../../lib/world-clock.ts";
import { deliveriesOfMessage } from "../message/delivery-of.ts";
import { canCompute, fieldOf } from "../message/notification.ts";
import { explainSignature, type KnownSecret, type Question, type SentBody } from "./explain-signature.ts";
import { signatureFindings, stampFinding } from "./findings.ts";
import { judge, type PastedHeader, parseStamp, readHeader, readStamp } from "./judge.ts";
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
export const knownSecrets = (credentials: readonly Credential[]): KnownSecret[] =>
  credentials.flatMap(({ webhook_secret, api_key, organization_name, scope }) => {
    const whose = `${sideWord(scope)}: ${organization_name}`;
    return [
      ...(webhook_secret === undefined ? [] : [{ name: `the secret of ${whose}`, secret: webhook_secret }]),
      ...(api_key === undefined ? [] : [{ name: `the API key of ${whose}`, secret: api_key }]),
    ];
  });

export const nothing = new Uint8Array();

interface Known extends Pick<Question, "others" | "sent"> {
  readonly read: ReturnType<typeof readBody>;
  readonly secret: string | null;
}

/**
 * What a signature turned out to be; null where there is none, or nothing to check it with. Computed in the page, and
 * forgotten as soon as nobody looks.
 */
const useExplained = (value: string | null, { read: { body, number }, secret, others, sent }: Known) => {
  const question = body !== null && value !== null && secret !== null && { body, value, secret, others, sent };
  const { data, isPlaceholderData, isLoading } = useQuery({
    queryKey: ["lab", number, value, secret, others.length, sent.length],
    queryFn: question && canCompute() ? ({ signal }) => explainSignature(question, signal) : skipToken,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  // Where nothing is asked, what was found before stands in for good.
  return { explained: (question && data) || null, settled: !question || (!isPlaceholderData && !isLoading) };
};

/** The value of a header that was found, under whichever name. */
export const signatureValue = (header: PastedHeader): string | null =>
  header.kind === "found" || header.kind === "misnamed" ? header.value : null;

const useSecret = ({ secretOf, secret: typed }: Pasted, named: string | null) => {
  const { data: credentials = [] } = useCredentials();
  const others = useMemo(() => knownSecrets(credentials), [credentials]);
  const integrationId = secretOf === "body" ? named : secretOf;
  const owner = credentials.find(({ integration_id }) => integration_id === integrationId);
  const secret = (secretOf === "pasted" ? typed : owner?.webhook_secret) || null;
  const missing =
    secretOf === "pasted"
      ? "Paste the secret."
      : integrationId === null
        ? "The body names no integration. Choose a secret, or paste one."
        : "This world has no secret for the integration in the body. Choose one, or paste it.";
  return { others, secret, noSecret: secret === null ? missing : null };
};

let bodiesRead = 0;

/** A body that was pasted, and what of it is looked at; read once, as it may be large. */
const readBody = (pasted: Pick<Pasted, "body" | "coding">) => {
  const body = bytesOfBody(pasted);
  const bytes = body ?? nothing;
  bodiesRead += 1;
  return {
    body,
    /** Tells it from others in a key. */
    number: bodiesRead,
    integrationId: fieldOf(bytes, "integration_id"),
    messageId: fieldOf(bytes, "message_id"),
    stamp: readStamp(bytes),
  };
};

/** Judges what was pasted, anew with every change and every second. */
export const useAnalysis = (pasted: Pasted) => {
  const world = useWorld();
  const [typed] = useDebouncedValue(pasted, 120);
  const clock = useNow("real", 1000);
  const { body: text, coding } = typed;
  const read = useMemo(() => readBody({ body: text, coding }), [text, coding]);
  const { body, integrationId, messageId, stamp } = read;
  const header = useMemo(() => readHeader(typed.header), [typed.header]);
  const { others, secret, noSecret } = useSecret(typed, integrationId);
  const value = signatureValue(header);
  const { data: sent = [] } = useQuery(sentQuery(world, integrationId, messageId));
  const known = { read, secret, others, sent };
  const ofHeader = useExplained(value, known);
  const ofReceiver = useExplained(typed.theirs.trim() || null, known);
  const { explained } = ofHeader;
  const at = typed.at.trim();
  const now = at === "" ? clock : parseStamp(at);
  const steps = judge(header, explained, stamp, now ?? clock);
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
    reason: rejectReasons[steps.findIndex(({ verdict }) => verdict === "failed")] ?? null,
  };
};

/** What the lab makes of what was pasted. */
export type Analysis = ReturnType<typeof useAnalysis>;
