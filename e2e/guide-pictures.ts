/**
 * Takes the guide's pictures in both themes, after an order was placed and confirmed. `npm run build`, then `node
 * e2e/guide-pictures.ts`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";
import sharp from "sharp";

const [folder = "docs/pictures"] = process.argv.slice(2);
const child = spawn(process.execPath, ["out/sandbox/cli.js", "--memory", "--port", "0"], {
  stdio: ["ignore", "pipe", "ignore"],
});
const [line] = await once(createInterface(child.stdout), "line");
const { base_url, explorer_url, control_token, credentials } = JSON.parse(line);

const post = async (address: string, headers: Record<string, string>, body: object) => {
  const response = await fetch(`${base_url}/${address}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { id: response.headers.get("x-request-id") ?? "", body: await response.json() };
};
const control = (operation: string, body: object) =>
  post(`__sandbox/${operation}`, { authorization: `Bearer ${control_token}` }, { world: "default", ...body });
const call = (side: "repairer" | "supplier", address: string, body: object, world = "default") => {
  const { api_key, integration_id } = credentials[side];
  const headers = { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
  return post(address, { ...headers, "x-sandbox-tenant": world }, body);
};

for (const side of ["repairer", "supplier"] as const) {
  const { integration_id } = credentials[side];
  await post("__webhooks/subscribe", {}, { integration_id, url: `${base_url}/__webhooks/sink` });
}
await control("snapshots.save", { name: "before-demo" });

const job_identity = { external: "estimate:guide" };
const { body: businesses } = await call("repairer", "api/2026-01/businesses.list", {});
const site = businesses.items.find(({ type }: { type: string }) => type === "repairer_site").id;
const vehicle = { chassis_number: null, plate_number: "RFL208", plate_state: null };
await call("repairer", "api/2026-01/repairer.jobs.insert", {
  identity: job_identity,
  repairer_site_id: site,
  job_number: "J-20422",
  vehicle,
});
const parts = ["Tailgate shell", "Tail lamp, left", "Rear bumper cover"].map((description) => ({
  description,
  quantity: 1,
}));
await call("repairer", "api/2026-01/repairer.jobs.parts.insert", { job_identity, parts });
const { body: basket } = await call("repairer", "api/2026-01/repairer.jobs.baskets.latest.get", { job_identity });
const seller = basket.suppliers.find(({ name }: { name: string }) => name.startsWith("Meridian")).business_id;
const sellable_ids = basket.offers
  .filter((offer: { supplier_business_id: string }) => offer.supplier_business_id === seller)
  .map((offer: { sellable_id: string }) => offer.sellable_id);
const { body: placed } = await call("repairer", "__extensions/2026-01/repairer.procurements.place", {
  job_identity,
  sellable_ids,
});
const identity = { id: placed.items[0].id };
await call("supplier", "api/2026-01/supplier.procurements.confirm", { identity });
const refused = await call("repairer", "api/2026-01/repairer.jobs.get", { identity: { external: "estimate:99999" } });
const delivered = async () => {
  const { body } = await control("deliveries.list", {
    limit: 1,
    status: "delivered",
    event_type: "supplier.procurements",
  });
  return body.items[0]?.id;
};
let delivery = await delivered();
while (delivery === undefined) delivery = await delivered();

const name = "the-second-confirmation";
const ordered = { identity: { id: "c95ff06c-9b3e-5ce1-b298-504cbf3a212f" } };
await call("supplier", "api/2026-01/supplier.procurements.confirm", ordered, "acme");
const again = await call("supplier", "api/2026-01/supplier.procurements.confirm", ordered, "acme");
const { body: recorded } = await control("scenarios.record", {
  world: "acme",
  trace_ids: [again.id],
  start: true,
  name: "Acme: the second confirmation is refused",
});
await control("scenarios.save", { name, scenario: recorded.scenario });
const { body: run } = await control("runs.start", { name, policies: { confirm_when_confirmed: "reject" } });
while ((await control("runs.get", { id: run.id })).body.state === "running");

const places = {
  overview: "/",
  install: "/install",
  job: "/jobs/adb34513-92dc-54b1-a36a-c579b413d06f",
  basket: "/jobs/adb34513-92dc-54b1-a36a-c579b413d06f/basket",
  procurement: `/procurements/${identity.id}`,
  delivery: `/webhooks/${delivery}`,
  requests: `/requests/${refused.id}`,
  console: "/console/repairer.jobs.insert",
  scenario: `/scenarios/${name}`,
  worlds: "/worlds/default",
};
const browser = await chromium.launch({
  executablePath: process.env.INTEGRATIONS_EXPLORER_CHROMIUM ?? chromium.executablePath(),
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const colorScheme of ["light", "dark"] as const) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme, reducedMotion: "reduce" });
  await page.goto(explorer_url);
  for (const [place, address] of Object.entries(places)) {
    await page.goto(base_url + address);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    // By then, lists are loaded and pictures are drawn.
    await page.waitForTimeout(2_000);
    const picture = await page.screenshot({ animations: "disabled" });
    await sharp(picture)
      .webp({ quality: 65, effort: 6 })
      .toFile(path.join(folder, `${place}-${colorScheme}.webp`));
  }
  await page.close();
}
await browser.close();
child.kill();
