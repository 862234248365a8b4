import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { InstallPage } from "../pages/install-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";
import { WebhooksLabPage } from "../pages/webhooks-lab-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("from an installed integration to a confirmed order and two signed deliveries", async ({ explorer }) => {
  const [install, jobs, procurements, webhooks] = [
    new InstallPage(explorer),
    new JobsPage(explorer),
    new ProcurementsPage(explorer),
    new WebhooksPage(explorer),
  ];
  await expectAccessible(explorer);

  await install.goto();
  await install.asRepairer();
  const values = await install.installAndSubscribe();
  expect(values.api_key).toMatch(/^isk_[0-9a-f]{32}$/);
  expect(values.webhook_secret).toMatch(/^pwh_/);
  await expectAccessible(explorer);
  await install.keep();

  await explorer.emulateMedia({ colorScheme: "dark" });
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Parts");
  await jobs.expectTabCount("Parts", 8);
  await expectAccessible(explorer);
  await jobs.show("Basket");
  await expectAccessible(explorer);
  await jobs.chooseAllOf("Meridian Genuine Parts");
  await jobs.expectWillPlace(1, 2);
  const [reference = ""] = await jobs.placeOrders();
  expect(reference).toMatch(/^TRC-20418-1$/);

  await procurements.goto();
  await procurements.open(reference);
  await procurements.expectState("order_requested");
  await procurements.expectOnlyFor("buyer", "supplier_business");
  await procurements.expectOnlyFor("supplier", "buyer_shipping_address");
  await procurements.confirmAsSupplier();
  await procurements.expectState("order_confirmed");
  await procurements.expectDeliveries("delivered");
  await procurements.expectChanged("status", "order_requested");
  await expectAccessible(explorer);

  await webhooks.goto();
  for (const event of ["repairer.procurements", "supplier.procurements"] as const) {
    await webhooks.expectDelivered(event, reference);
    await webhooks.open(event, reference);
    await webhooks.expectVerified();
    await webhooks.expectAnswer(200);
  }
  await expectAccessible(explorer);
  await webhooks.openInLab();
  await new WebhooksLabPage(explorer).expectVerified();
});

test("an address without a token explains how to get one", async ({ page, service }) => {
  await page.goto(`${service.ready.base_url}/jobs`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("#token=…")).toBeVisible();
  await expectAccessible(page);
});
