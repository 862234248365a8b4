import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { Receiver } from "../fixtures/receivers.ts";
import { FramePage } from "../pages/frame-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("a row says what it announces and to whom, and the feed narrows to one of two receivers", async ({
  explorer,
  service,
}) => {
  const webhooks = new WebhooksPage(explorer);
  const receiver = await new Receiver(() => 503).listen();
  const port = new URL(receiver.url).port;
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await webhooks.subscribe(receiver.url, "Supplier: Meridian");
  await webhooks.expectSubscribed(receiver.url);
  const [reference = ""] = await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");

  // The supplier has two deliveries of the same event, which differ in where they went.
  const deliveries = webhooks.rows("supplier.procurements", reference).filter({ hasText: "order_requested" });
  await expect(deliveries).toHaveCount(2);
  await expect(deliveries.filter({ hasText: "sink" })).toContainText("delivered");
  await expect(deliveries.filter({ hasText: `:${port}` })).toContainText("retrying");
  await expectAccessible(explorer);

  await explorer.getByRole("button", { name: "Filter by subscription" }).click();
  await expect(explorer.getByRole("menuitemradio", { name: "All subscriptions" })).toBeChecked();
  await expectAccessible(explorer);
  await explorer.keyboard.press("Escape");
  await webhooks.narrowTo(receiver.url);
  await webhooks.expectDeliveries(1);
  await expect(webhooks.feed.getByRole("link")).toContainText(`:${port}`);

  // Refused is not given up: who looks for it under Given up sees where it is.
  await webhooks.showOnly("Given up");
  await expect(explorer.getByText("None given up")).toBeVisible();
  await expect(explorer.getByText(/^1 is pending: an attempt that fails is made again/)).toBeVisible();
  await webhooks.showOnly("Pending");
  await webhooks.expectPending("supplier.procurements", reference);
  await webhooks.narrowTo("All subscriptions");
  await webhooks.showOnly("All");
  await expect(webhooks.rows("repairer.procurements", reference)).toHaveCount(1);
  receiver.close();
});

test("what is pending is a click away from the overview, and what the feed is narrowed to is in its address", async ({
  explorer,
  service,
}) => {
  const [frame, webhooks] = [new FramePage(explorer), new WebhooksPage(explorer)];
  const receiver = await new Receiver(() => 503).listen();
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await webhooks.subscribe(receiver.url, "Supplier: Meridian");
  await webhooks.expectSubscribed(receiver.url);
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await frame.goTo("Overview");
  const map = explorer.getByRole("region", { name: "Lifecycle map" });
  await map.getByRole("link", { name: "1 pending" }).click();
  const pending = explorer.getByRole("radio", { name: "Pending" });
  await expect(pending).toBeChecked();
  await webhooks.expectDeliveries(1);
  await expect(explorer).toHaveURL(/[?&]status=pending/);

  // It stays on the way through the place, over a reload and in a link.
  await webhooks.feed.getByRole("link").first().click();
  await expect(explorer).toHaveURL(/\/webhooks\/[0-9a-f-]{36}.*[?&]status=pending/);
  await webhooks.show("Receivers");
  await expect(explorer).toHaveURL(/\/receivers\?status=pending/);
  await explorer.reload();
  await expect(pending).toBeChecked();
  await webhooks.expectDeliveries(1);
  await webhooks.showOnly("All");
  await expect(explorer).not.toHaveURL(/status=/);
  await expect(explorer.getByRole("radio", { name: "All" })).toBeChecked();
  receiver.close();
});

test("a delivery leads to the call that caused it, to its job, and to others by its address", async ({
  explorer,
  service,
  context,
}) => {
  const webhooks = new WebhooksPage(explorer);
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.open("supplier.procurements");

  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await webhooks.delivery.getByRole("button", { name: "Copy link" }).click();
  const copied = await explorer.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(explorer.url());

  await webhooks.delivery.getByRole("link", { name: "View call", exact: true }).click();
  await expect(explorer).toHaveURL(/\/requests\/[^/]+\/trace/);
  await explorer.goBack();

  await webhooks.delivery.getByRole("link", { name: "J-20418", exact: true }).click();
  await expect(explorer).toHaveURL(/\/jobs\//);
});
