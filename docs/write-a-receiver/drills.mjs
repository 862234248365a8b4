// Runs all drills on a receiver that has subscribed itself. The exit status is 0 if it passed all of them.
// `exec` sets these variables.
const {
  SANDBOX_BASE_URL: base,
  SANDBOX_CONTROL_TOKEN: token,
  SANDBOX_REPAIRER_API_KEY: apiKey,
  SANDBOX_REPAIRER_INTEGRATION_ID: integrationId,
} = process.env;
const MAX_WAIT_MS = 15_000;

const call = async (path, key, body, more = {}) => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}`, ...more };
  const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};
const control = (operation, body) => call(`/__sandbox/${operation}`, token, body);
const buyer = (operation, body) =>
  call(`/api/2026-01/${operation}`, apiKey, body, { "service-integration-id": integrationId });

const waitFor = async (what, look) => {
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; ) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No ${what} within ${MAX_WAIT_MS / 1000} s.`);
};

const subscription = await waitFor("subscription", async () => (await control("subscriptions.list", {})).items[0]);

// A drill repeats a notification, so the receiver has to acknowledge one first: that of a new job.
const { items: businesses } = await buyer("businesses.list", {});
const site = businesses.find(({ type }) => type === "repairer_site").id;
const job_number = `DRILL-${process.pid}`;
await buyer("repairer.jobs.insert", { identity: { external: job_number }, repairer_site_id: site, job_number });
await waitFor("acknowledged notification", async () => {
  const { items: deliveries } = await control("deliveries.list", { status: "delivered" });
  return deliveries.find(({ subscription_id }) => subscription_id === subscription.id);
});

const { items, passed } = await control("drills.run-all", { subscription_id: subscription.id });
for (const { drill, latest } of items) console.log(`${latest.verdict.padEnd(7)} ${drill}: ${latest.sentence}`);
console.log(`${passed} of ${items.length} drills passed`);
process.exitCode = passed === items.length ? 0 : 1;
