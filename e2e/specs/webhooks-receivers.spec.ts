import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";
import { WebhooksReceiversPage } from "../pages/webhooks-receivers-page.ts";

test("a receiver that is down for two attempts can be watched until it accepts", async ({ explorer, service }) => {
  const webhooks = new WebhooksPage(explorer);
  const receivers = new WebhooksReceiversPage(explorer);
  await new WorldSwitches(service.ready).set({ webhook_retries: "fast" });
  await webhooks.goto();
  await webhooks.show("Receivers");
  await receivers.expectNone();
  await receivers.make("Supplier: Meridian", "Down for two attempts");
  await receivers.expectDoes("Answers 503 to the first 2, then verifies, deduplicates and acknowledges.");

  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await receivers.expectReceived(2, "503", "error response");
  await receivers.expectReceived(1, "200", "accepted");
  await receivers.expectDoes("2 of 2 done, it accepts now.");

  await receivers.open("error response");
  await receivers.expectWords("Returned 503, as configured. Nothing was wrong with it.");
  await explorer.reload();
  await receivers.expectWords("Returned 503, as configured. Nothing was wrong with it.");
  await expectAccessible(explorer);
  await receivers.entry.getByRole("link", { name: /^supplier\.procurements/ }).click();
  await webhooks.expectAttempts(3);
});

test("a new receiver is sent a test event, which says of itself that it is one", async ({ explorer }) => {
  const webhooks = new WebhooksPage(explorer);
  const receivers = new WebhooksReceiversPage(explorer);
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await webhooks.show("Receivers");
  await receivers.make("Buyer:", "A correct receiver");
  await receivers.sendTest();
  await expect(explorer.getByText("A signed repairer.jobs to this subscription alone.")).toBeVisible();
  await receivers.expectReceived(1, "200", "accepted");
  await webhooks.expectDeliveries(1);
  await webhooks.open("repairer.jobs", "Test event");
  await webhooks.expectVerified();
  await webhooks.expectAnswer("no call made it, and what it names does not exist");
  await webhooks.showBodyAs("Headers");
  await expect(webhooks.delivery.getByText("x-sandbox-test-event").first()).toBeVisible();
  await expectAccessible(explorer);
});

test("what a receiver does can be changed at any time, and wrong numbers are not sent", async ({
  explorer,
  service,
}) => {
  const webhooks = new WebhooksPage(explorer);
  const receivers = new WebhooksReceiversPage(explorer);
  const program = new PartnerProgram(service.ready);
  await new WorldSwitches(service.ready).set({ webhook_retries: "fast" });
  await webhooks.goto();
  await webhooks.show("Receivers");
  await receivers.make("Supplier: Meridian", "A correct receiver");
  const [reference = ""] = await program.order("J-20418", "Meridian Genuine Parts");
  await receivers.expectReceived(1, "accepted");

  await receivers.fillStatus("200", "1");
  await expect(explorer.getByText("A status from 201 to 599: 200 would acknowledge.")).toBeVisible();
  await expect(explorer.getByRole("button", { name: "Change what it does" })).toBeDisabled();
  await receivers.fillStatus("418", "1");
  await receivers.save();
  await receivers.expectDoes("Answers 418 to the first notification, then verifies, deduplicates and acknowledges.");
  await program.confirm(reference);
  await receivers.expectReceived(1, "418", "error response");
  await receivers.expectReceived(2, "accepted");

  await receivers.change("Doesn’t verify signatures");
  await receivers.expectDoes("Acknowledges everything and deduplicates.");
  await receivers.openSubscription();
  await explorer.getByRole("link", { name: /^passed: One byte flipped|One byte flipped/ }).click();
  await explorer.keyboard.press("r");
  await expect(
    explorer.getByText("Accepted it; must refuse it with 401 or another 4xx (bad_signature).").first(),
  ).toBeVisible();
  await webhooks.show("Receivers");
  await receivers.openFromTable("Meridian");
  await receivers.open("bad_signature", "repeat");
  await receivers.expectWords(/A correct receiver rejects it; this one doesn’t verify\./);
});

test("a receiver whose subscription ended is subscribed again with a click, and deleted with what it received", async ({
  explorer,
}) => {
  const webhooks = new WebhooksPage(explorer);
  const receivers = new WebhooksReceiversPage(explorer);
  await webhooks.goto();
  await webhooks.show("Receivers");
  await receivers.make("Buyer:", "A correct receiver");
  const address = explorer.url();
  await webhooks.unsubscribe("__receiver");
  await webhooks.show("Receivers");
  await expect(receivers.table.getByText("not subscribed")).toBeVisible();
  await explorer.goto(address);
  await receivers.subscribeAgain();

  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);
  await receivers.delete();
  await receivers.expectNone();
  await explorer.goto(address);
  await expect(explorer.getByText("Receiver not found")).toBeVisible();
});
