import { expect } from "@playwright/test";
import { test } from "../fixtures/desktop.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("an order is placed and confirmed in the desktop app, and both sides are told", async ({ desktop }) => {
  const { page, quit } = await desktop.start();
  const [jobs, procurements, webhooks] = [new JobsPage(page), new ProcurementsPage(page), new WebhooksPage(page)];
  await webhooks.goto();
  await webhooks.subscribeBothSides();

  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.chooseAllOf("Meridian Genuine Parts");
  const [reference = ""] = await jobs.placeOrders();

  await procurements.goto();
  await procurements.open(reference);
  await procurements.confirmAsSupplier();
  await procurements.expectState("order_confirmed");
  await procurements.expectDeliveries("delivered");

  await webhooks.goto();
  for (const event of ["repairer.procurements", "supplier.procurements"] as const) {
    await webhooks.open(event, reference);
    await webhooks.expectVerified();
  }
  expect(await quit()).toBe(0);

  // What was confirmed is confirmed after a restart.
  const again = await desktop.start();
  const after = new ProcurementsPage(again.page);
  await after.goto();
  await after.open(reference);
  await after.expectState("order_confirmed");
});
