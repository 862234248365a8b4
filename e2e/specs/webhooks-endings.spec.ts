import { ControlProgram } from "../fixtures/control-program.ts";
import { test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { Receiver } from "../fixtures/receivers.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

const SUPPLIER = "Supplier: Meridian";

test("a delivery fails visibly when a script deletes its subscription", async ({ explorer, service }) => {
  const receiver = await new Receiver(() => 503).listen();
  const webhooks = new WebhooksPage(explorer);
  await webhooks.goto();
  await webhooks.subscribe(receiver.url, SUPPLIER);
  await webhooks.expectSubscribed(receiver.url);
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.open("supplier.procurements");
  await webhooks.expectStatus("retrying");
  await webhooks.expectAnswer(503);
  await webhooks.expectVerdict("503", "receiver’s log");

  await new ControlProgram(service.ready).unsubscribe(receiver.url);
  await webhooks.expectStatus("failed");
  await webhooks.expectVerdict(/subscribe/);
  await webhooks.expectGivenUp("supplier.procurements");
  await webhooks.showOnly("Pending");
  await webhooks.expectDeliveries(0);
  receiver.close();
});
