import type { Receipt } from "../contract/control/receiver-operations.ts";
import { isUuid } from "../contract/schema.ts";
import { type Decision, decideResponse } from "../rules/webhooks/receiver.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { newId } from "../storage/new-id.ts";
import type { World } from "../worlds/world.ts";

/** How much of a body that arrived is kept; a notification has less than a tenth of it. */
export const KEPT_BODY_BYTES = 16 * 1024;
/** 32 bytes in base64. */
const HMAC_BASE64 = /^[A-Za-z0-9+/]{43}=$/;
/** No field of a notification is longer. */
const LONGEST_FIELD = 256;

/** A request as it reached one of the service's own receivers. `now` is real time, milliseconds since 1970. */
export interface Arrival {
  readonly body: Buffer;
  /** The signature header, or null. */
  readonly signature: string | null;
  /** All headers as they may be kept. */
  readonly headers: [string, string][];
  readonly now: number;
}

/** What arrived and what the four steps make of it, before it is decided what to do about it. */
export type Inspected = Omit<Receipt, "outcome" | "status" | "repeat">;

const fieldsOf = (body: Buffer): ((name: string) => string | null) => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch {
    parsed = null;
  }
  return (name) => {
    const value: unknown =
      parsed !== null && typeof parsed === "object" && Object.hasOwn(parsed, name) ? Reflect.get(parsed, name) : null;
    return typeof value === "string" && value.length <= LONGEST_FIELD ? value : null;
  };
};

/**
 * Verifies an arrival with the secret of the integration its body names (contract, "Signature").
 *
 * @param secretOf an integration's secret, by its id in lowercase; asked only where there is a signature to check
 */
export const inspect = async (
  { body, signature, headers, now }: Arrival,
  secretOf: (integrationId: string) => Promise<string | null>,
): Promise<Inspected> => {
  const field = fieldsOf(body);
  const integration_id = field("integration_id");
  const isSigned = signature !== null && HMAC_BASE64.test(signature);
  const isKnown = isSigned && integration_id !== null && isUuid(integration_id);
  const secret = isKnown ? await secretOf(integration_id.toLowerCase()) : null;
  const { reason, steps } = verifyNotification({ body, header: signature, secret, now });
  return {
    ...{ id: newId(), at: new Date(now).toISOString(), reason, verification: [...steps], headers, integration_id },
    ...{ message_id: field("message_id"), event_type: field("event_type") },
    body_bytes: body.byteLength,
    body_base64: body.subarray(0, KEPT_BODY_BYTES).toString("base64"),
  };
};

/** The path of a built-in receiver of a world. */
export const receiverPath = (id: string, world: string): string =>
  `/__receiver/${id}${world === DEFAULT_WORLD ? "" : `?world=${encodeURIComponent(world)}`}`;

/**
 * Lets a built-in receiver of this world answer an arrival, kept before it is answered.
 *
 * @returns what it answers; null when there is no such receiver
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
