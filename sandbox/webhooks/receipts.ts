import type { Receipt } from "../contract/control/receiver-rows.ts";
import { isUuid } from "../contract/schema.ts";
import type { RejectReason } from "../contract/signature.ts";
import { type StepVerdict, verifyNotification } from "../rules/webhook-signature.ts";
import { newId } from "../storage/new-id.ts";
import type { ReceiptRecord } from "../storage/receivers-store.ts";

/** How much of a body that arrived is kept; a notification has less than a tenth of it. */
export const KEPT_BODY_BYTES = 16 * 1024;

/** A request as it reached one of the service's own receivers. `now` is real time, milliseconds since 1970. */
export interface Arrival {
  readonly body: Uint8Array;
  /** The signature header, or null. */
  readonly signature: string | null;
  /** All headers as they may be kept. */
  readonly headers: [string, string][];
  readonly now: number;
}

/** What a body says of itself, and what the four steps make of it. */
export interface Inspection {
  readonly reason: RejectReason | null;
  readonly steps: readonly StepVerdict[];
  readonly message_id: string | null;
  readonly event_type: string | null;
  readonly integration_id: string | null;
}

/** 32 bytes in base64. */
const HMAC_BASE64 = /^[A-Za-z0-9+/]{43}=$/;

const fieldsOf = (body: Uint8Array): ((name: string) => string | null) => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    if (parsed === null || typeof parsed !== "object") return () => null;
    return (name) => {
      const value: unknown = Object.hasOwn(parsed, name) ? Reflect.get(parsed, name) : null;
      return typeof value === "string" ? value : null;
    };
  } catch {
    return () => null;
  }
};

/**
 * Verifies an arrival with the secret of the integration its body names (contract, "Signature").
 *
 * @param secretOf an integration's secret, by its id in lowercase; asked only where there is a signature to check
 */
export const inspect = (
  { body, signature, now }: Pick<Arrival, "body" | "signature" | "now">,
  secretOf: (integrationId: string) => string | null,
): Inspection => {
  const field = fieldsOf(body);
  const integration_id = field("integration_id");
  // Looking a secret up may open every world: not for a caller that did not even sign.
  const signed = signature !== null && HMAC_BASE64.test(signature);
  const secret =
    signed && integration_id !== null && isUuid(integration_id) ? secretOf(integration_id.toLowerCase()) : null;
  return {
    ...verifyNotification({ body, header: signature, secret, now }),
    message_id: field("message_id"),
    event_type: field("event_type"),
    integration_id,
  };
};

const short = (text: string | null): string | null => (text === null ? null : text.slice(0, 256));

/** What is kept of an arrival. */
export const receiptOf = (
  { body, headers, now }: Arrival,
  { reason, steps, message_id, event_type, integration_id }: Inspection,
  { outcome, status, repeat }: Pick<Receipt, "outcome" | "status" | "repeat">,
): ReceiptRecord => ({
  id: newId(),
  at: now,
  outcome,
  status,
  repeat,
  reason,
  message_id: short(message_id),
  event_type: short(event_type),
  integration_id: short(integration_id),
  headers,
  body_bytes: body.byteLength,
  body: Buffer.from(body.subarray(0, KEPT_BODY_BYTES)),
  verification: [...steps],
});

/** A receipt as the control plane shows it. */
export const receiptRow = ({ at, body, ...receipt }: ReceiptRecord): Receipt => ({
  ...receipt,
  at: new Date(at).toISOString(),
  body_base64: body.toString("base64"),
});
