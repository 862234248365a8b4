import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { Receiver } from "../fixtures/receivers.ts";
import { FramePage } from "../pages/frame-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("a row shows its event and its receiver, and the feed filters by one of two receivers", async ({
  explorer,
  service,
  context,
}) => {
  const webhooks = new WebhooksPage(explorer);
  const receiver = await new Receiver(() => 503).listen();
  const port = new URL(receiver.url).port;
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await webhooks.subscribe(receiver.url, "Supplier: Meridian");
  await webhooks.expectSubscribed(receiver.url);
  const [reference = ""] = await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");

  // The supplier has two deliveries of the same event to different addresses.
  const deliveries = webhooks.rows("supplier.procurements", reference).filter({ hasText: "order_requested" });
  await expect(deliveries).toHaveCount(2);
  await expect(deliveries.filter({ hasText: "test receiver" })).toContainText("delivered");
  await expect(deliveries.filter({ hasText: `:${port}` })).toContainText("retrying");
  await expectAccessible(explorer);

  await explorer.getByRole("button", { name: "Filter by subscription" }).click();
  await expect(explorer.getByRole("menuitemradio", { name: "All subscriptions" })).toBeChecked();
  await expectAccessible(explorer);
  await explorer.keyboard.press("Escape");
  await webhooks.narrowTo(receiver.url);
  await webhooks.expectDeliveries(1);
  await expect(webhooks.feed.getByRole("link")).toContainText(`:${port}`);

  // A refused delivery may still be retried, so the filter Failed points to it.
  await webhooks.showOnly("Failed");
  await expect(explorer.getByText("No failed deliveries")).toBeVisible();
  await expect(explorer.getByText(/^1 delivery pending/)).toBeVisible();
  await webhooks.showOnly("Pending");
  await webhooks.expectPending("supplier.procurements", reference);
  await webhooks.narrowTo("All subscriptions");
  await webhooks.showOnly("All");
  await expect(webhooks.rows("repairer.procurements", reference)).toHaveCount(1);

  // A link from the overview filters by the address; the filter survives navigation and a reload.
  await new FramePage(explorer).goTo("Overview");
  await explorer.getByRole("region", { name: "Lifecycle map" }).getByRole("link", { name: "1 retrying" }).click();
  await webhooks.expectDeliveries(1);
  await webhooks.feed.getByRole("link").first().click();
  await expect(explorer).toHaveURL(/\/webhooks\/[0-9a-f-]{36}.*[?&]status=pending/);
  await webhooks.show("Lab");
  await expect(explorer).toHaveURL(/\/lab\?status=pending/);
  await explorer.reload();
  await expect(explorer.getByRole("radio", { name: "Pending" })).toBeChecked();

  // A delivery links to its call, its job, and others to the same address.
  await webhooks.goto();
  await webhooks.open("supplier.procurements");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await webhooks.delivery.getByRole("button", { name: "Copy link" }).click();
  const copied = await explorer.evaluate(() => navigator.clipboard.readText());
  expect(explorer.url().split("?")[0]).toBe(copied);

  await webhooks.delivery.getByRole("link", { name: "View call", exact: true }).click();
  await expect(explorer).toHaveURL(/\/requests\/[^/]+\/trace/);
  await explorer.goBack();

  await webhooks.delivery.getByRole("link", { name: "J-20418", exact: true }).click();
  await expect(explorer).toHaveURL(/\/jobs\//);
  receiver.close();
});
