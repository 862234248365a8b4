// A receiver of the sandbox's webhooks: subscribes itself, verifies, acknowledges, then reads what changed.
import http from "node:http";
import { verifyWebhook } from "./verify-webhook.mjs";

// `exec` sets these variables; without them, the documented values of a sandbox on its usual port.
const {
  SANDBOX_BASE_URL: base = "http://127.0.0.1:4026",
  SANDBOX_REPAIRER_API_KEY: apiKey = "sbx_7d41f0b9c2e84a5396d8b7135fae0c21",
  SANDBOX_REPAIRER_INTEGRATION_ID: integrationId = "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
  PORT: port = "0",
} = process.env;

const LARGEST_BODY = 1024 * 1024;
const REMEMBERED = 10_000;

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

/** A notification says that something changed, and may be late or out of order: the current state is read. */
const readChange = async ({ event_type, payload }) => {
  if (payload.change_action === "deleted") return console.log(`job ${payload.job_id} was deleted`);
  const [operation, id] =
    event_type === "repairer.jobs"
      ? ["repairer.jobs.get", payload.job_id]
      : ["repairer.procurements.get", payload.procurement_id];
  const current = await call(`/api/2026-01/${operation}`, { identity: { id } });
  console.log(`${operation} ${id}: ${current.status ?? current.job_number ?? "read"}`);
};

/** The bytes as they arrive; null if there are too many. */
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
const secrets = new Map([[integrationId, secret]]);
const seen = new Set();

const server = http.createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    const body = await readBody(request);
    if (body === null) return answer(413, { ok: false, reason: "too_large" });
    const reason = verifyWebhook(body, request.headers["service-hmac-sha256"], secrets);
    if (reason) return answer(reason.endsWith("_signature") ? 401 : 400, { ok: false, reason });
    const notification = JSON.parse(body);
    // Only what was verified is remembered, or a forged copy could make the genuine one look like a repeat.
    const deduped = seen.has(notification.message_id);
    seen.add(notification.message_id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
    // Acknowledge first, so that slow or failed work doesn't cause a retry.
    answer(200, { ok: true, deduped });
    if (!deduped) await readChange(notification);
  } catch (error) {
    console.error(error.message);
    if (!response.headersSent) answer(500, { ok: false });
  }
});

server.listen(Number(port), "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}/hooks`;
  // The same address again changes nothing, so a restart needs no memory of it.
  await call("/__webhooks/subscribe", { integration_id: integrationId, url });
  console.log(`subscribed ${url}`);
});
process.on("SIGTERM", () => server.close(() => process.exit(0)));
