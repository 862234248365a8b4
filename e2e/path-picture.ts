/**
 * Makes the animated picture of the README from the built explorer: an install, a job's basket, its order, the supplier's
 * confirmation and the signed delivery. `npm run build`, then `node e2e/path-picture.ts docs/pictures/path.webp`. It needs
 * img2webp, which Debian has in the package webp.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { ServiceProcess } from "./fixtures/explorer.ts";
import { InstallPage } from "./pages/install-page.ts";
import { JobsPage } from "./pages/jobs-page.ts";
import { ProcurementsPage } from "./pages/procurements-page.ts";
import { WebhooksPage } from "./pages/webhooks-page.ts";

const SUPPLIER = "Meridian Genuine Parts";
const [target = "docs/pictures/path.webp"] = process.argv.slice(2);
const folder = mkdtempSync(path.join(os.tmpdir(), "path-picture-"));
const service = new ServiceProcess();
await service.start();
const browser = await chromium.launch({
  executablePath: process.env.INTEGRATIONS_EXPLORER_CHROMIUM ?? chromium.executablePath(),
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });

const frames: { file: string; milliseconds: number }[] = [];
/** Adds what the page shows now, for as long as it takes to read. */
async function show(milliseconds: number): Promise<void> {
  const file = path.join(folder, `${frames.length}.png`);
  await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
  await page.screenshot({ path: file, animations: "disabled" });
  frames.push({ file, milliseconds });
}

await page.goto(service.ready.explorer_url);
const [install, jobs, procurements, webhooks] = [
  new InstallPage(page),
  new JobsPage(page),
  new ProcurementsPage(page),
  new WebhooksPage(page),
];
await install.goto();
await install.asRepairer();
await show(1500);
await install.approve();
await show(1200);
await install.install();
await install.expectInstalled();
await show(1800);
await install.subscribe();
await show(1200);
await install.keep();

await jobs.goto();
await show(1200);
await jobs.open("J-20418");
await show(1500);
await jobs.show("Basket");
await show(1500);
await jobs.chooseAllOf(SUPPLIER);
await show(1800);
const [reference = ""] = await jobs.placeOrders();
await show(1800);

await procurements.goto();
await procurements.open(reference);
await show(1800);
await procurements.confirmAsSupplier();
await procurements.expectState("order_confirmed");
await procurements.expectDeliveries("delivered");
await show(2200);

await webhooks.goto();
await webhooks.expectDelivered("repairer.procurements", reference);
await show(1500);
await webhooks.open("repairer.procurements", reference);
await webhooks.expectVerified();
await show(4000);

await browser.close();
await service.end();
const pictures = frames.flatMap(({ file, milliseconds }) => ["-lossy", "-q", "60", "-d", String(milliseconds), file]);
execFileSync("img2webp", ["-loop", "0", "-min_size", ...pictures, "-o", target], { stdio: "inherit" });
rmSync(folder, { recursive: true });
