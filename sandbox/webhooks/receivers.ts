import type { Receipt } from "../contract/control/receiver-operations.ts";
import { isUuid } from "../contract/schema.ts";
import type { VerificationStep } from "../contract/signature.ts";
import { readText, tryParseJson } from "../rules/json/untyped.ts";
import { type Decision, decideResponse } from "../rules/webhooks/receiver.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { signBody, verifyNotification } from "../secrets/webhook-signature.ts";
import type { World } from "../worlds/world.ts";

/** Stored bytes of a body, more than ten times the size of a notification. */
const MAX_BODY_BYTES = 16 * 1024;
/** 32 bytes in base64. */
const HMAC_BASE64 = /^[A-Za-z0-9+/]{43}=$/;
/** Longer than any field of a notification. */
const MAX_FIELD_CHARS = 256;

/** A request to one of the service's own receivers. `now` is real time, milliseconds since 1970. */
export interface Arrival {
  /** ID of the call, its x-request-id. */
  readonly id: string;
  readonly body: Buffer;
  /** Null without the header. */
  readonly signature: string | null;
  /** All headers, masked. */
  readonly headers: [string, string][];
  readonly now: number;
}

/** A secret that a program may have taken for that of the body's integration. */
export interface OtherSecret {
  readonly name: string;
  readonly secret: string;
}

/** An arrival with the results of the four checks, before the receiver decides. */
type Inspection = Omit<Receipt, "outcome" | "status" | "repeat">;

/**
 * Verifies an arrival with the secret of its body's integration (contract, "Signature").
 *
 * @param secretOf looks up a secret by lower-case integration ID; called only if there is a signature
 * @param listOthers secrets to recognise; called only if the signature doesn't match
 */
export const inspect = async (
  { id, body, signature, headers, now }: Arrival,
  secretOf: (integrationId: string) => Promise<string | null>,
  listOthers: () => readonly OtherSecret[] = () => [],
): Promise<Inspection> => {
  const parsed = tryParseJson(body.toString("utf8"));
  const field = (name: string): string | null => {
    const value = readText(parsed, name);
    return value !== undefined && value.length <= MAX_FIELD_CHARS ? value : null;
  };
  const integration_id = field("integration_id");
  const isSigned = signature !== null && HMAC_BASE64.test(signature);
  const isKnown = isSigned && integration_id !== null && isUuid(integration_id);
  const secret = isKnown ? await secretOf(integration_id.toLowerCase()) : null;
  const { reason, steps } = verifyNotification({ body, header: signature, secret, now });
  const explain = (step: VerificationStep): string | null => {
    const near = headers.find(([name]) => /hmac|signature/.test(name))?.[0];
    if (step === "header_present" && near) return `the header is missing; ${near} was sent instead`;
    const isChecked = step === "signature_matches" && secret !== null && body.length <= MAX_BODY_BYTES;
    const other = isChecked ? listOthers().find((one) => signBody(body, one.secret) === signature) : undefined;
    return other ? `it was made with the secret of ${other.name}, not of the integration in the body` : null;
  };
  return {
    ...{ id, at: new Date(now).toISOString(), reason, headers, integration_id },
    verification: steps.map((one) =>
      one.verdict === "failed" ? { ...one, detail: explain(one.step) ?? one.detail } : one,
    ),
    ...{ message_id: field("message_id"), event_type: field("event_type") },
    body_bytes: body.byteLength,
    body_base64: body.subarray(0, MAX_BODY_BYTES).toString("base64"),
  };
};

export const receiverPath = (id: string, world: string): string =>
  `/__receiver/${id}${world === DEFAULT_WORLD ? "" : `?world=${encodeURIComponent(world)}`}`;

/**
 * Lets a built-in receiver respond to an arrival. The receipt is stored first.
 *
 * @returns null if there is no such receiver
 */
export const receive = async (world: World, id: string, arrival: Arrival): Promise<Decision | null> => {
  const { receivers, credentials } = world.stores;
  const secretOf = async (integration: string): Promise<string | null> =>
    credentials.findByIntegration(integration)?.webhook_secret ?? null;
  const inspected = await inspect(arrival, secretOf);
  return world.write(() => {
    const receiver = receivers.get(id);
    if (!receiver) return null;
    const { message_id, reason } = inspected;
    const repeat = message_id !== null && receivers.hasAcknowledged(receiver.seq, message_id);
    const { body, ...decision } = decideResponse(receiver.behaviour, receiver.counted, reason, repeat);
    receivers.receive(receiver.seq, { ...inspected, ...decision, repeat });
    return { ...decision, body };
  });
};
