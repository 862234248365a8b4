import { type Envelope, SIGNATURE_HEADER } from "../contract/events.ts";
import { signBody } from "../rules/webhook-signature.ts";
import type { DeliveryRecord } from "../storage/outbox-store.ts";

/** Stage one: the exact bytes and headers of one try. */
export interface Prepared {
  readonly delivery: DeliveryRecord;
  readonly number: number;
  /** Real time, milliseconds since 1970 (D84). */
  readonly stampedAt: number;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * Contract, "Envelope" and "Signature": the eight fields in their order, stamped and signed for this try alone (D72).
 */
export const prepare = (delivery: DeliveryRecord, secret: string, now: number): Prepared => {
  const envelope: Envelope = {
    message_id: delivery.message_id,
    event_timestamp: new Date(delivery.event.event_timestamp).toISOString(),
    webhook_timestamp: new Date(now).toISOString(),
    event_type: delivery.event.event_type,
    type: "integration_notification",
    version: "v1",
    integration_id: delivery.integration_id,
    payload: delivery.event.payload,
  };
  const body = Buffer.from(JSON.stringify(envelope), "utf8");
  const headers: [string, string][] = [
    ["content-type", "application/json"],
    ["content-length", String(body.length)],
    ["user-agent", "integrations-sandbox/2026-01"],
    [SIGNATURE_HEADER, signBody(body, secret)],
  ];
  return { delivery, number: delivery.attempts_made + 1, stampedAt: now, url: delivery.url, headers, body };
};
