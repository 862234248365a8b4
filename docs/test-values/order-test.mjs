// Drives an order, its confirmation and a 429 by test values alone: `node --test order-test.mjs`.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

// `exec` sets these variables; without them, the documented values of a sandbox on its usual port.
const {
  SANDBOX_BASE_URL: base = "http://127.0.0.1:4026",
  SANDBOX_REPAIRER_API_KEY: key = "sbx_7d41f0b9c2e84a5396d8b7135fae0c21",
  SANDBOX_REPAIRER_INTEGRATION_ID: integration = "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
} = process.env;
// A world of its own, so that nobody else's test meets this one.
const world = `test-values-${randomUUID()}`;

const send = (path, body) =>
  fetch(base + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "service-integration-id": integration,
      "x-sandbox-tenant": world,
    },
    body: JSON.stringify(body),
  });

const call = async (operation, body, prefix = "/api/2026-01/") => {
  const response = await send(prefix + operation, body);
  assert.equal(response.status, 200, `${operation} answered ${response.status}`);
  return response.json();
};

const insertJob = async (claim_number) => {
  const { items } = await call("businesses.list", {});
  const site = items.find(({ type }) => type === "repairer_site");
  const job = { identity: { external: randomUUID() }, repairer_site_id: site.id, claim_number };
  return (await call("repairer.jobs.insert", job)).id;
};

test("a supplier confirms the order a second after it was placed", async () => {
  const id = await insertJob("test:confirm-after=1s;offers=one");
  const job_identity = { id };
  await call("repairer.jobs.parts.insert", { job_identity, parts: [{ description: "Bonnet" }] });
  const { offers, suppliers } = await call("repairer.jobs.baskets.latest.get", { job_identity });
  assert.equal(suppliers.length, 1);
  const sellable_ids = offers.map(({ sellable_id }) => sellable_id);
  const placed = await call("repairer.procurements.place", { job_identity, sellable_ids }, "/__extensions/2026-01/");
  const identity = { id: placed.items[0].id };
  let status = placed.items[0].status;
  assert.equal(status, "order_requested");
  for (let tries = 0; status !== "order_confirmed" && tries < 50; tries += 1) {
    await sleep(200);
    ({ status } = await call("repairer.procurements.get", { identity }));
  }
  assert.equal(status, "order_confirmed");
});

test("a call that fails with 429 succeeds when it is sent again", async () => {
  const identity = { id: await insertJob("test:answer=429") };
  const refused = await send("/api/2026-01/repairer.jobs.get", { identity });
  assert.equal(refused.status, 429);
  assert.equal((await refused.json()).type, "rate_limited");
  await sleep(1_000 * Number(refused.headers.get("retry-after")));
  assert.equal((await call("repairer.jobs.get", { identity })).claim_number, "test:answer=429");
});
