import { expect } from "@playwright/test";
import { test } from "../fixtures/desktop.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";

test("an order is placed and confirmed in the desktop app, and is so after a restart", async ({ desktop }) => {
  const { page, quit } = await desktop.start();
  const [jobs, procurements] = [new JobsPage(page), new ProcurementsPage(page)];
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.chooseAllOf("Meridian Genuine Parts");
  const [reference = ""] = await jobs.placeOrders();

  await procurements.goto();
  await procurements.open(reference);
  await procurements.confirmAsSupplier();
  await procurements.expectState("order_confirmed");
  expect(await quit()).toBe(0);

  const again = await desktop.start();
  const after = new ProcurementsPage(again.page);
  await after.goto();
  await after.open(reference);
  await after.expectState("order_confirmed");
});
