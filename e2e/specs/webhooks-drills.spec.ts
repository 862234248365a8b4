import { expect, expectAccessible, type ServiceProcess, test } from "../fixtures/explorer.ts";
import { PartnerProgram, webhookSecretOf } from "../fixtures/partner-program.ts";
import { ageless, Receiver } from "../fixtures/receivers.ts";
import { WebhooksDrillsPage } from "../pages/webhooks-drills-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

/** Subscribes a receiver of the buyer, lets something happen, and opens its notification. */
const openNotification = async (webhooks: WebhooksPage, service: ServiceProcess, receiver: Receiver): Promise<void> => {
  await webhooks.goto();
  await webhooks.subscribe(receiver.url, "Buyer:");
  await webhooks.expectSubscribed(receiver.url);
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectDelivered("repairer.procurements");
  await webhooks.open("repairer.procurements");
};

test("a scorecard says of every drill what was found, and shows the code that does it right", async ({
  explorer,
  service,
}) => {
  const receiver = await ageless(await webhookSecretOf(service.ready)).listen();
  const webhooks = new WebhooksPage(explorer);
  const drills = new WebhooksDrillsPage(explorer);
  await openNotification(webhooks, service, receiver);
  await drills.showBesideDelivery();
  await drills.runAll();
  await drills.expectScore("5 of 9 passed, 4 failed, whether it deduplicates can’t be seen");
  await drills.expectBesideDelivery("One byte flipped", "answered 401", "refused, as it must");
  await drills.openScorecard();
  await drills.expectLine("Six minutes ahead", "200", "accepted it, must refuse: stale_timestamp");
  await drills.open("Six minutes ahead");
  await drills.expectResult("Accepted it; must refuse it with 400 or another 4xx (stale_timestamp).");
  await drills.expectCodeMarks("verify-webhook.ts", "stale_timestamp");
  await drills.chooseLanguage("Python");
  await drills.expectCodeMarks("verify_webhook.py", "stale_timestamp");
  await expectAccessible(explorer);
  await explorer.reload();
  await drills.expectCodeMarks("verify_webhook.py", "stale_timestamp");
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);
  receiver.close();
});

test("nothing is proven by a receiver that refuses everything", async ({ explorer, service }) => {
  await explorer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const receiver = await new Receiver(() => 401).listen();
  const webhooks = new WebhooksPage(explorer);
  const drills = new WebhooksDrillsPage(explorer);
  await webhooks.goto();
  await webhooks.subscribe(receiver.url, "Buyer:");
  await webhooks.expectSubscribed(receiver.url);
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.open("repairer.procurements");
  await webhooks.expectStatus("retrying");
  await webhooks.expectVerdict("The receiver answered 401", "the cause is on the receiver’s side", "webhook secret");
  await drills.showBesideDelivery();
  await drills.runAll();
  await drills.expectScore("0 of 9 passed, 2 failed, 7 inconclusive");
  await drills.expectBesideDelivery("Wrong secret", "inconclusive: it rejects valid ones too");
  await drills.expectBesideDelivery("Duplicate", "answered 401, must acknowledge good ones");

  // The partner is told of the delivery, its attempts and the drills; the integration has a report of its own.
  await explorer.getByRole("button", { name: "Copy for partner" }).click();
  const told = await explorer.evaluate(() => navigator.clipboard.readText());
  expect(told).toMatch(/^1\. .*: The receiver answered 401/m);
  expect(told).toContain("Signature and timestamp when sent: correct");
  expect(told).toContain("Drills on the receiver: 0 of 9 passed, 2 failed, 7 inconclusive.");
  expect(told).not.toContain(await webhookSecretOf(service.ready));
  await drills.openScorecard();
  await expect(explorer.getByRole("link", { name: "Readiness report" })).toHaveAttribute(
    "href",
    /\/install\/integrations\//,
  );
  await drills.open("Wrong secret");
  await drills.expectResult("inconclusive", "Inconclusive: it rejects valid notifications too.");
  receiver.close();
});

test("the reference receiver passes every drill, one after the other while it is watched", async ({
  explorer,
  service,
}) => {
  await explorer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const webhooks = new WebhooksPage(explorer);
  const drills = new WebhooksDrillsPage(explorer);
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectDelivered("supplier.procurements");
  await webhooks.open("supplier.procurements");
  await drills.showBesideDelivery();
  await explorer.keyboard.press("a");
  await drills.expectScore("9 of 9 passed, whether it deduplicates can’t be seen");
  await drills.openScorecard();
  await drills.open("Duplicate");
  await drills.expectResult(
    "Acknowledged both of them with 200, as it must; whether it deduplicates can’t be seen.",
    "the same again",
  );

  // One that was acknowledged is told of as well.
  await explorer.goBack();
  await explorer.goBack();
  await explorer.getByRole("button", { name: "Copy a report for the partner" }).click();
  const told = await explorer.evaluate(() => navigator.clipboard.readText());
  expect(told).toContain("was answered 200.\nThe delivery is acknowledged.");
});

test("a run of all drills is stopped, and keeps the results it has", async ({ explorer, service }) => {
  // It answers the notification itself and the drill that goes first, and from then on nothing.
  const receiver = await new Receiver((_arrived, count) => (count <= 3 ? 200 : null)).listen();
  const webhooks = new WebhooksPage(explorer);
  const drills = new WebhooksDrillsPage(explorer);
  await openNotification(webhooks, service, receiver);
  await drills.showBesideDelivery();
  await drills.runAll();
  await drills.expectUnderWay();
  await drills.openScorecard();
  await drills.expectUnderWay();
  await drills.expectLine("Six minutes old", "running");
  await drills.stopRun();
  await drills.expectScore("1 of 9 passed, 8 not run, whether it deduplicates can’t be seen");
  await drills.expectLine("Six minutes old", "not run");
  await expect(explorer.getByRole("alert")).toHaveCount(0);
  receiver.close();
});
