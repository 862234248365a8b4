// A receiver of the sandbox's webhooks in plain Node: subscribes itself, verifies, acknowledges, reads what changed.
// Run it beside a sandbox:  npm run --silent sandbox -- exec -- node e2e/example-receiver/receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import http from "node:http";

// The variables `sandbox exec` sets; without them, the documented values of a sandbox on its usual port.
const {
  SANDBOX_BASE_URL: base = "http://127.0.0.1:4026",
  SANDBOX_REPAIRER_API_KEY: apiKey = "sbx_7d41f0b9c2e84a5396d8b7135fae0c21",
  SANDBOX_REPAIRER_INTEGRATION_ID: integrationId = "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
  PORT: port = "0",
} = process.env;

const WINDOW_MS = 5 * 60_000;
const LARGEST_BODY = 1024 * 1024;
const REMEMBERED = 10_000;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const call = async (path, body) => {
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${apiKey}`,
    "service-integration-id": integrationId,
  };
  const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};

const parse = (body) => {
  try {
    return JSON.parse(body.toString("utf8")) ?? {};
  } catch {
    return {};
  }
};

/** Why a notification must be refused, or null: the contract's four checks in its order. */
const refusal = (body, header, envelope, secret) => {
  if (!header) return "missing_signature";
  // Over the bytes as they came: the same JSON printed again is other bytes, with another signature.
  const expected = Buffer.from(createHmac("sha256", secret).update(body).digest("base64"));
  const received = Buffer.from(header);
  const genuine = received.length === expected.length && timingSafeEqual(received, expected);
  // One integration, one secret: a genuine notification that names another one is not ours.
  if (!genuine || envelope.integration_id !== integrationId) return "bad_signature";
  const stamp = envelope.webhook_timestamp;
  const sentAt = typeof stamp === "string" && ISO_TIME.test(stamp) ? Date.parse(stamp) : Number.NaN;
  if (Number.isNaN(sentAt)) return "missing_timestamp";
  return Math.abs(Date.now() - sentAt) > WINDOW_MS ? "stale_timestamp" : null;
};

/** What changed is read anew: the notification says that something did, and may be late or out of order. */
const readChange = async ({ event_type, payload }) => {
  if (payload.change_action === "deleted") return console.log(`job ${payload.job_id} is gone`);
  const [operation, id] =
    event_type === "repairer.jobs"
      ? ["repairer.jobs.get", payload.job_id]
      : ["repairer.procurements.get", payload.procurement_id];
  const current = await call(`/api/2026-01/${operation}`, { identity: { id } });
  console.log(`${operation} ${id}: ${current.status ?? current.job_number ?? "read"}`);
};

const readBody = async (request) => {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const { secret } = await call("/__webhooks/secret", {});
const seen = new Set();

const server = http.createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    const body = await readBody(request);
    if (body === null) return answer(413, { ok: false, reason: "too_large" });
    const envelope = parse(body);
    const reason = refusal(body, request.headers["service-hmac-sha256"], envelope, secret);
    if (reason) return answer(reason.endsWith("_signature") ? 401 : 400, { ok: false, reason });
    // Only what was verified is remembered, or a forged copy could make the genuine one look like a repeat.
    const deduped = seen.has(envelope.message_id);
    seen.add(envelope.message_id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
    // Acknowledged first: work that takes long, or fails, is no reason to be sent the same again.
    answer(200, { ok: true, deduped });
    if (!deduped) await readChange(envelope);
  } catch (error) {
    console.error(error.message);
    if (!response.headersSent) answer(500, { ok: false });
  }
});

server.listen(Number(port), "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}/hooks`;
  // The same address again changes nothing, so that a restart needs no memory of it.
  await call("/__webhooks/subscribe", { integration_id: integrationId, url });
  console.log(`subscribed ${url}`);
});
process.on("SIGTERM", () => server.close(() => process.exit(0)));
