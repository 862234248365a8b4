// Inserts a job, and waits for its notification. The sandbox sends it to this program, by the name that RECEIVER_HOST says.
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import http from "node:http";

const { SANDBOX_BASE_URL: base, RECEIVER_HOST: name, PORT: port = "8787" } = process.env;
// Every local sandbox has these.
const API_KEY = "sbx_7d41f0b9c2e84a5396d8b7135fae0c21";
const INTEGRATION_ID = "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01";
const MAX_WAIT_MS = 15_000;

const call = async (path, body) => {
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${API_KEY}`,
    "service-integration-id": INTEGRATION_ID,
  };
  const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};

// Other containers reach it at every address of this one.
const server = http.createServer().listen(Number(port));
await once(server, "listening");
await call("/__webhooks/subscribe", { integration_id: INTEGRATION_ID, url: `http://${name}:${port}/hooks` });

const arrives = once(server, "request", { signal: AbortSignal.timeout(MAX_WAIT_MS) });
const { items } = await call("/api/2026-01/businesses.list", {});
const site = items.find(({ type }) => type === "repairer_site").id;
const job = { identity: { external: `webhook-test-${Date.now()}` }, repairer_site_id: site };
await call("/api/2026-01/repairer.jobs.insert", job);

const [request, response] = await arrives;
const body = Buffer.concat(await request.toArray());
const { secret } = await call("/__webhooks/secret", {});
const expected = createHmac("sha256", secret).update(body).digest();
const given = Buffer.from(request.headers["service-hmac-sha256"] ?? "", "base64");
const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
response.writeHead(isGenuine ? 200 : 401).end();
server.close();
if (!isGenuine) throw new Error("The notification has a wrong signature.");
const { event_type, payload } = JSON.parse(body);
console.log(`${event_type} ${payload.change_action}`);
