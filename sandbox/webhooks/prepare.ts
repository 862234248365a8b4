import { envelopeOf, notificationHeaders } from "../rules/notification.ts";
import { signBody } from "../rules/webhook-signature.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { type Target, targetOf } from "./connection.ts";

/** Where a subscription's notifications go: what connects to it, and what its requests begin with. */
export interface Address {
  readonly target: Target;
  readonly host: string;
  readonly path: string;
}

export const addressOf = (subscribed: string): Address => {
  const url = new URL(subscribed);
  return { target: targetOf(url), host: url.host, path: url.pathname + url.search };
};

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
 *
 * @param host as the request names it
 */
export const prepare = (
  delivery: DeliveryRecord,
  secret: string,
  now: number,
  host = addressOf(delivery.url).host,
): Prepared => {
  const body = Buffer.from(JSON.stringify(envelopeOf(delivery.event, delivery, now)), "utf8");
  const headers: [string, string][] = [["host", host], ...notificationHeaders(body, signBody(body, secret))];
  return { delivery, number: delivery.attempts_made + 1, stampedAt: now, url: delivery.url, headers, body };
};

/** A try as it goes over the wire. */
export const requestBytes = (path: string, { headers, body }: Pick<Prepared, "headers" | "body">): Buffer => {
  let head = `POST ${path} HTTP/1.1\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + 2 + body.length);
  bytes.write(head, 0, "latin1");
  bytes.write("\r\n", head.length, "latin1");
  body.copy(bytes, head.length + 2);
  return bytes;
};
