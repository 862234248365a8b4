import { expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";
import { WebhooksSinkPage } from "../pages/webhooks-sink-page.ts";

// What arrived at the sink is remembered by the service, whatever becomes of the world.
test.use({ ownService: true });

test("the sink shows what it accepted and refused, each with its reason in words", async ({ explorer, service }) => {
  const webhooks = new WebhooksPage(explorer);
  const sink = new WebhooksSinkPage(explorer);
  await webhooks.goto();
  await explorer.keyboard.press("3");
  await sink.expectNothing();

  await webhooks.subscribeBothSides();
  const program = new PartnerProgram(service.ready);
  const [reference = ""] = await program.order("J-20418", "Meridian Genuine Parts");
  await sink.expectEntries(2, "accepted");
  await program.confirm(reference);
  await sink.expectEntries(4, "accepted");

  const address = `${service.ready.base_url}/__webhooks/sink`;
  await fetch(address, { method: "POST", body: '{"from":"another program"}' });
  await sink.expectEntries(1, "no event_type", "refused", "401");
  await sink.open("no event_type");
  await sink.expectWords("The header service-hmac-sha256 is missing, so the sender is unproven.");
  await sink.expectWords("no delivery in this world: a drill, another world’s delivery, or another program’s call");
  await sink.expectVerdicts("failed", "skipped", "skipped", "skipped");
  await expectAccessible(explorer);

  await sink.open("supplier.procurements", "accepted");
  await sink.expectVerdicts("passed", "passed", "passed", "passed");
  await sink.expectWords("All four steps passed and the message is new: acknowledged with 200.");
  const entry = explorer.url();
  await sink.openDelivery();
  await webhooks.expectVerified();
  await webhooks.sendAgain();

  await explorer.goto(entry);
  await sink.expectWords("All four steps passed and the message is new: acknowledged with 200.");
  await sink.expectEntries(1, "repeat");
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);
});
