import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { lookAround } from "../fixtures/reads.ts";
import { OverviewPage } from "../pages/overview-page.ts";
import { ReadinessPage } from "../pages/readiness-page.ts";
import { WebhooksDrillsPage } from "../pages/webhooks-drills-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("the map counts what a partner's programs do, as they do it", async ({ explorer, service }) => {
  const overview = new OverviewPage(explorer);
  await overview.expectCount("Jobs", 46);
  await overview.expectCount("order_requested", 9);
  const [jobs, partner] = [new PartnerJobs(service.ready), new PartnerProgram(service.ready)];
  await jobs.insert("overview:1", { job_number: "OV-1" });
  await overview.expectCount("Jobs", 47);
  const [reference = ""] = await partner.order("J-20418", "Meridian Genuine Parts");
  await overview.expectCount("order_requested", 10);
  await partner.confirm(reference);
  await overview.expectCount("order_requested", 9);
  await overview.expectCount("order_confirmed", 13);
  // Suppliers have no place of their own.
  await expect(overview.map.getByText("Suppliers", { exact: true })).toBeVisible();
  await expect(overview.map.getByRole("link").filter({ hasText: "Suppliers" })).toHaveCount(0);
  await expectAccessible(explorer);
});

test("the first steps tick themselves off by what happened, whoever did it, and never by a click", async ({
  explorer,
  service,
}) => {
  const overview = new OverviewPage(explorer);
  await overview.expectToDo("Install an integration");
  await overview.steps.getByRole("link", { name: "Install" }).click();
  await overview.goto();
  await overview.expectToDo("Install an integration");
  const partner = new PartnerProgram(service.ready);
  await partner.install("Tarn & Rowe Collision", "repairer");
  await overview.expectDone("Install an integration");
  await overview.expectToDo("Place an order");
  const [reference = ""] = await partner.order("J-20418", "Meridian Genuine Parts");
  await overview.expectDone("Place an order");
  await overview.expectToDo("Confirm the order as the supplier");
  await partner.confirm(reference);
  await overview.expectDone("Confirm the order as the supplier");
  await overview.expectToDo("Subscribe a receiver");
});

test("drills of any subscription tick off their step", async ({ explorer, service }) => {
  const overview = new OverviewPage(explorer);
  const webhooks = new WebhooksPage(explorer);
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.open("supplier.procurements");
  const drills = new WebhooksDrillsPage(explorer);
  await drills.sendAs("Duplicate");
  await drills.showBesideDelivery();
  await drills.expectLine("Duplicate", "passed");
  await overview.goto();
  await overview.expectToDo("Test the receiver with drills");
  await explorer.goBack();
  await drills.showBesideDelivery();
  await drills.runAll();
  await overview.goto();
  await overview.expectDone("Test the receiver with drills");

  // It says of which receiver; the readiness counts none of these.
  await expect(explorer.getByText("all 9 passed on the sandbox’s own receiver")).toBeVisible();
  const readiness = new ReadinessPage(explorer);
  await readiness.gotoOf("Meridian Genuine Parts");
  await readiness.expectMet("Drills passed", "0 of 9, 0 run");
  await expect(readiness.row("Drills on its receiver", "Duplicate")).toContainText("no result");
});

test("what changed stays among the latest traces, however much is read after it", async ({ explorer, service }) => {
  const overview = new OverviewPage(explorer);
  await expect(explorer.getByText("No call has changed anything yet")).toBeVisible();
  await new PartnerJobs(service.ready).insert("overview:4", { job_number: "OV-4" });
  await expect(overview.trace("repairer.jobs.insert")).toContainText("OV-4");
  await lookAround(service.ready, 120);
  await expect(overview.trace("repairer.jobs.insert")).toContainText("OV-4");
  await explorer.reload();
  await expect(overview.trace("repairer.jobs.insert")).toContainText("OV-4");
});

test("a trace leads to what it touched, and says how far its deliveries have come", async ({ explorer, service }) => {
  const overview = new OverviewPage(explorer);
  const [jobs, partner] = [new PartnerJobs(service.ready), new PartnerProgram(service.ready)];
  await expect(explorer.getByText("Only integrations subscribed at the time receive an event")).toBeVisible();
  await partner.subscribeSink();
  await expect(overview.trace("webhooks.subscribe")).toContainText("buyer subscribed");
  await jobs.insert("overview:3", { job_number: "OV-3" });
  const trace = overview.trace("repairer.jobs.insert");
  await expect(trace).toContainText("1 of 1");
  const [reference = ""] = await partner.order("J-20418", "Meridian Genuine Parts");
  await expect(overview.trace("repairer.procurements.place")).toContainText(reference);
  // The supplier has no subscription.
  await expect(overview.trace("repairer.procurements.place")).toContainText(/\d of \d, 1 not sent/);
  await trace.getByRole("link", { name: "OV-3" }).click();
  await expect(explorer.getByRole("heading", { name: "OV-3" })).toBeVisible();
});
