import { createHmac, timingSafeEqual } from "node:crypto";

const WINDOW_MS = 5 * 60_000;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const parse = (rawBody) => {
  try {
    const parsed = JSON.parse(rawBody.toString("utf8"));
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
};

/**
 * Why a notification must be refused, or null when it is good.
 *
 * @param rawBody the bytes as they arrived, before anything parsed them
 * @param header the value of service-hmac-sha256, if there was one
 * @param secrets the webhook secret of each of your integrations, by integration id
 */
export const verifyWebhook = (rawBody, header, secrets, now = Date.now()) => {
  if (!header) return "missing_signature";

  // Not proven yet: it only chooses which secret the signature is compared with.
  const envelope = parse(rawBody);
  const { integration_id } = envelope;
  const secret = typeof integration_id === "string" ? secrets.get(integration_id) : undefined;
  if (secret === undefined) return "bad_signature";
  const expected = Buffer.from(createHmac("sha256", secret).update(rawBody).digest("base64"));
  const received = Buffer.from(header);
  // timingSafeEqual compares in constant time, and throws when the lengths differ.
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return "bad_signature";

  const stamp = envelope.webhook_timestamp;
  // Date.parse alone would take "1" for a time.
  const sentAt = typeof stamp === "string" && ISO_TIME.test(stamp) ? Date.parse(stamp) : Number.NaN;
  if (Number.isNaN(sentAt)) return "missing_timestamp";

  return Math.abs(now - sentAt) > WINDOW_MS ? "stale_timestamp" : null;
};
