import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
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

test("every place has a title, is accessible in the dark too, and fits every window", async ({ explorer }) => {
  const frame = new FramePage(explorer);
  await explorer.emulateMedia({ colorScheme: "dark" });
  for (const link of await frame.rail.locator("a:not([target])").all()) {
    await link.click();
    const [place] = /^[A-Z][a-z]+/.exec(await link.innerText()) ?? [];
    await expect(explorer.getByRole("main").getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(explorer).toHaveTitle(new RegExp(`(^| · )${place} · Integrations Explorer$`));
    await expectAccessible(explorer);
    // 640×400 is 1280×800 at 200 %.
    for (const [width, height] of [
      [1680, 1050],
      [640, 400],
      [1280, 800],
    ] as const) {
      await explorer.setViewportSize({ width, height });
      await frame.expectNoScroll();
    }
  }
});

test("one click tries an installation failure, which returns the contract's error", async ({ explorer }) => {
  const install = new InstallPage(explorer);
  await install.goto();
  for (const [failure, status, code] of [
    ["client_id matches no client", 404, "integration_not_found"],
    ["Client not enabled for OAuth", 403, "o_auth_not_supported_by_integration"],
    ["client_secret does not match", 401, "invalid_client_secret"],
    ["access_code expired", 401, "invalid_access_code"],
  ] as const) {
    await install.tryFailure(failure);
    await install.expectFailure(failure, status, code);
  }
});

test("an address without a token explains how to get one", async ({ page, service }) => {
  await page.goto(`${service.ready.base_url}/jobs`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("#token=…")).toBeVisible();
  await expectAccessible(page);
});
