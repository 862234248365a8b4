import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";
import { WebhooksReceiversPage } from "../pages/webhooks-receivers-page.ts";

test("a built-in receiver fails twice, then accepts, and is removed with its subscription", async ({
  explorer,
  service,
}) => {
  const webhooks = new WebhooksPage(explorer);
  const receivers = new WebhooksReceiversPage(explorer);
  const program = new PartnerProgram(service.ready);
  await new WorldSwitches(service.ready).set({ webhook_retries: "fast" });
  await webhooks.goto();
  await receivers.make("Supplier: Meridian", "2");
  await receivers.expectDoes(/\b503\b.*\b2\b/);

  const [reference = ""] = await program.order("J-20418", "Meridian Genuine Parts");
  await receivers.expectDoes(/\b2 of 2\b/);
  await webhooks.expectDelivered("supplier.procurements", reference);

  // The behaviour can change at any time; invalid numbers are not sent.
  await receivers.fail("200", "1");
  await expect(receivers.does.getByRole("spinbutton", { name: "Status" })).toHaveAttribute("aria-invalid", "true");
  await expect(receivers.change).toBeDisabled();
  await receivers.fail("418", "1");
  await receivers.change.click();
  await receivers.expectDoes(/\b418\b/);
  await expectAccessible(explorer);

  await explorer.getByRole("button", { name: "Send a test event" }).click();
  await webhooks.open("supplier.procurements", "Test event");
  await webhooks.expectAttempts(2);
  await webhooks.expectVerified();
  await webhooks.expectAnswer("No call");
  await webhooks.showBodyAs("Headers");
  await expect(webhooks.delivery.getByText("x-sandbox-test-event").first()).toBeVisible();

  await webhooks.unsubscribe("__receiver");
  await webhooks.expectSubscriptions(0);
});
