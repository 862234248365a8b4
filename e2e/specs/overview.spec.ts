import { drillNames } from "../../sandbox/contract/drill-names.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { makeReads } from "../fixtures/reads.ts";
import { OverviewPage } from "../pages/overview-page.ts";
import { ReadinessPage } from "../pages/readiness-page.ts";
import { WebhooksDrillsPage } from "../pages/webhooks-drills-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("the map, the first steps and the traces follow a partner's calls", async ({ explorer, service }) => {
  const overview = new OverviewPage(explorer);
  const [jobs, partner] = [new PartnerJobs(service.ready), new PartnerProgram(service.ready)];
  await expect(explorer.getByText("No calls yet", { exact: true })).toBeVisible();
  await expect(overview.map.getByRole("link", { name: "no subscription yet" })).toHaveCount(2);
  await overview.expectCount("Jobs", 46);
  await overview.expectCount("Order requested", 9);
  await overview.expectCount("Offers", 729);
  await expect(overview.map).toContainText("6 suppliers");
  await expect(overview.map.getByText("from seed data")).toHaveCount(3);
  await expect(explorer.getByRole("link", { name: "Play the story" })).toContainText("1 min 4 s");

  // Steps are completed by calls, not by clicks.
  await overview.expectToDo("install");
  await overview.steps.getByRole("link", { name: "Install" }).click();
  await overview.goto();
  await overview.expectToDo("install");
  await partner.install("Tarn & Rowe Collision", "repairer");
  await overview.expectDone("install");
  await overview.expectToDo("subscribe");
  await partner.subscribeSink();
  await expect(overview.trace("webhooks.subscribe")).toContainText("Subscribed a receiver");
  await overview.expectDone("subscribe");

  await jobs.insert("overview:1", { job_number: "OV-1" });
  await overview.expectCount("Jobs", 47);
  await expect(overview.trace("repairer.jobs.insert")).toContainText("1 delivered");
  await overview.expectToDo("place");
  const [reference = ""] = await partner.order("J-20418", "Meridian Genuine Parts");
  await overview.expectCount("Order requested", 10);
  await overview.expectDone("place");
  await expect(overview.trace("repairer.procurements.place")).toContainText(reference);
  // The supplier has no subscription.
  await expect(overview.trace("repairer.procurements.place")).toContainText(/1 delivered, 1 event/);
  await overview.expectToDo("confirm");
  await partner.confirm(reference);
  await overview.expectCount("Order requested", 9);
  await overview.expectCount("Order confirmed", 13);
  await expect(overview.map).toContainText("1 in the last");
  await expect(overview.trace("supplier.procurements.confirm")).toContainText("Confirmed order");
  await overview.expectDone("confirm");

  // Changes stay among the latest traces after many reads.
  await makeReads(service.ready, 120);
  await explorer.reload();
  const trace = overview.trace("repairer.jobs.insert");
  await expect(trace).toContainText("OV-1");
  await expectAccessible(explorer);
  await trace.getByRole("link", { name: "OV-1" }).click();
  await expect(explorer.getByRole("heading", { name: "OV-1" })).toBeVisible();
});

test("drills of any subscription complete their step", async ({ explorer, service }) => {
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
  await overview.expectToDo("drills");
  await explorer.goBack();
  await drills.showBesideDelivery();
  await drills.runAll();
  await overview.goto();
  await overview.expectDone("drills");

  // Each drill names its receiver; the readiness report counts none of them.
  await expect(overview.step("drills")).toContainText(`all ${drillNames.length} passed`);
  const readiness = new ReadinessPage(explorer);
  await readiness.gotoOf("Meridian Genuine Parts");
  await readiness.expectMet("Drills passed", `0 of ${drillNames.length}, 0 run`);
  await expect(readiness.row("Drills", /^Duplicate/)).toContainText("no result");
});
