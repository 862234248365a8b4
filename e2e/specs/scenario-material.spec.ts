import { mkdir, writeFile } from "node:fs/promises";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { RequestsPage } from "../pages/requests-page.ts";
import { ScenariosPage } from "../pages/scenarios-page.ts";

test.use({ ownService: true });

const MATERIAL = "Draft a scenario from HAR or cURL";

test("a HAR that Requests exported becomes a scenario that holds in a fresh world", async ({ explorer, service }) => {
  const [requests, scenarios] = [new RequestsPage(explorer), new ScenariosPage(explorer)];
  const partner = new PartnerCalls(service.ready);
  await partner.call("businesses.list", {});
  await partner.call("repairer.jobs.get", { identity: { external: "nobody" } });
  await partner.send("/api/2026-01/repairer.jobs.gett", {}, "repairer");
  await requests.goto();
  await explorer.getByRole("button", { name: "Export all matching calls" }).click();
  const har = await requests.save("HAR 1.2");

  await scenarios.goto();
  await explorer.getByRole("button", { name: MATERIAL }).click();
  await scenarios.dialog
    .getByLabel("Files", { exact: true })
    .setInputFiles({ name: "acme.har", mimeType: "application/json", buffer: Buffer.from(har) });
  await expect(scenarios.dialog.getByRole("region", { name: "Steps of the draft" })).toContainText("2 steps");
  await expect(scenarios.dialog.getByRole("region", { name: "Not understood" })).toContainText(
    "POST /api/2026-01/repairer.jobs.gett No operation has this path.",
  );
  await scenarios.dialog.getByRole("textbox", { name: "Name of the scenario" }).fill("Acme’s calls");
  await expectAccessible(explorer);
  await scenarios.dialog.getByRole("button", { name: "Keep as a scenario" }).click();
  await expect(explorer).toHaveURL(/\/scenarios\/acme-s-calls/);
  await expect(scenarios.row("Acme’s calls")).toContainText("2 steps, 1 note");
  await expect(scenarios.step(2)).toContainText("Buyer");
  await expect(scenarios.step(2)).toContainText("404");
  await scenarios.detail.getByText("1 thing could not be taken over as it was").click();
  await expect(scenarios.detail).toContainText("POST /api/2026-01/repairer.jobs.gett: No operation has this path.");
  await scenarios.act(/^Run a/);
  await expect(scenarios.state).toHaveText("2 of 2 steps passed", { timeout: 20_000 });
});

test("a folder is read, and what is enormous, deep or broken is told while the rest is drafted", async ({
  explorer,
}, testInfo) => {
  const scenarios = new ScenariosPage(explorer);
  await scenarios.goto();
  await explorer.getByRole("button", { name: MATERIAL }).click();
  const post = (path: string, text = "{}") => ({
    request: { method: "POST", url: `https://api.example.com${path}`, headers: [], postData: { text } },
  });
  const har = (entries: readonly object[]) => JSON.stringify({ log: { entries } });
  const site = "/api/2026-01/businesses.list";
  const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  const folder = testInfo.outputPath("partner");
  await mkdir(folder, { recursive: true });
  const files = {
    "1-unknown.har": har(Array.from({ length: 5_000 }, (_, index) => post(`/elsewhere/${index}`))),
    "2-many.har": har([post(site, deep), ...Array.from({ length: 10_000 }, () => post(site))]),
    "3-cut.har": har([post(site)]).slice(0, -10),
    "4-large.har": " ".repeat(10 * 1024 ** 2 + 1),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(`${folder}/${name}`, text);
  await scenarios.dialog.getByLabel("Folder", { exact: true }).setInputFiles(folder);
  const steps = scenarios.dialog.getByRole("region", { name: "Steps of the draft" });
  const leftOut = scenarios.dialog.getByRole("region", { name: "Not understood" });
  await expect(steps).toContainText("999 steps");
  await expect(steps.getByRole("listitem")).toHaveCount(50);
  await expect(leftOut).toContainText("3-cut.har");
  await expect(leftOut).toContainText("4-large.har It is larger than 10 MiB.");
  await expect(leftOut.getByRole("listitem")).toHaveCount(50);
  await expectAccessible(explorer);
  await scenarios.dialog.getByRole("button", { name: "Keep as a scenario" }).click();
  // A thousand steps are written, read and drawn.
  await expect(explorer.getByRole("article", { name: "Drafted scenario" })).toBeVisible({ timeout: 30_000 });
});
