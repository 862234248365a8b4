// Orders a part and waits for the verified webhook that its supplier confirmed it: `sandbox exec -- bun order.mjs`.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook } from "./verify-webhook.mjs";

const {
  SANDBOX_BASE_URL: base,
  SANDBOX_REPAIRER_API_KEY: key,
  SANDBOX_REPAIRER_INTEGRATION_ID: integration_id,
  SANDBOX_REPAIRER_WEBHOOK_SECRET: secret,
  // The name of this machine for a sandbox in a container. Without it, both run on this machine.
  RECEIVER_HOST: host,
} = process.env;

const post = async (path, body) => {
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${key}`,
    "service-integration-id": integration_id,
  };
  const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};
const call = (operation, body) => post(`/api/2026-01/${operation}`, body);

const arrived = [];
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const reason = verifyWebhook(body, request.headers["service-hmac-sha256"], new Map([[integration_id, secret]]));
  response.writeHead(reason === null ? 200 : 401).end();
  arrived.push({ reason, body });
});
await new Promise((resolve) => server.listen(0, host ? "0.0.0.0" : "127.0.0.1", resolve));
const url = `http://${host ?? "127.0.0.1"}:${server.address().port}/hooks`;
await post("/__webhooks/subscribe", { integration_id, url });

const { items: businesses } = await call("businesses.list", {});
const job = await call("repairer.jobs.insert", {
  identity: { external: randomUUID() },
  repairer_site_id: businesses.find(({ type }) => type === "repairer_site").id,
  // One supplier makes offers, and it confirms the order as soon as it is placed.
  claim_number: "test:offers=one;confirm-after=0s",
});
const job_identity = { id: job.id };
await call("repairer.jobs.parts.insert", { job_identity, parts: [{ description: "Bonnet" }] });
const { offers } = await call("repairer.jobs.baskets.latest.get", { job_identity });
const choice = { job_identity, sellable_ids: [offers[0].sellable_id] };
const { items: orders } = await post("/__extensions/2026-01/repairer.procurements.place", choice);
const { id } = orders[0];

const isConfirmation = ({ reason, body }) => {
  if (reason !== null) throw new Error(`A notification was refused: ${reason}`);
  const { payload } = JSON.parse(body);
  return payload.procurement_id === id && payload.status === "order_confirmed";
};
for (let tries = 0; !arrived.some(isConfirmation); tries += 1) {
  if (tries === 200) throw new Error("No confirmation arrived within 10 seconds.");
  await sleep(50);
}
const { status } = await call("repairer.procurements.get", { identity: { id } });
if (status !== "order_confirmed") throw new Error(status);
console.log(`Order ${id} is confirmed, and its webhook is verified.`);
server.close();
server.closeAllConnections();
