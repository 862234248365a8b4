import { randomBytes } from "node:crypto";
import { childContext } from "../rules/traceparent.ts";
import { createEnvelope, notificationHeaders } from "../rules/webhooks/notification.ts";
import { signBody } from "../secrets/webhook-signature.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";

/** Stage one: exact bytes and headers of one attempt. */
export interface PreparedAttempt {
  readonly delivery: DeliveryRecord;
  readonly number: number;
  /** Real time, milliseconds since 1970 (D84). */
  readonly stampedAt: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * Contract, "Envelope" and "Signature": eight fields in order, with a timestamp and signature for this attempt only
 * (D72).
 */
export const prepare = (delivery: DeliveryRecord, secret: string, now: number): PreparedAttempt => {
  const body = Buffer.from(JSON.stringify(createEnvelope(delivery, delivery, now)), "utf8");
  const context = childContext(delivery.traceparent, randomBytes(8).toString("hex"));
  const headers = notificationHeaders(body, signBody(body, secret), { test: delivery.test, traceparent: context });
  return { delivery, number: delivery.attempts_made + 1, stampedAt: now, headers, body };
};
