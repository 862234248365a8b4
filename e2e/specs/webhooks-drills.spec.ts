import { drillNames } from "../../sandbox/contract/drill-names.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram, readWebhookSecret } from "../fixtures/partner-program.ts";
import { startSignatureOnlyReceiver } from "../fixtures/receivers.ts";
import { WebhooksDrillsPage } from "../pages/webhooks-drills-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("a scorecard shows the result of every drill, and the code for a correct answer", async ({
  explorer,
  service,
}) => {
  const receiver = await startSignatureOnlyReceiver(await readWebhookSecret(service.ready)).listen();
  const webhooks = new WebhooksPage(explorer);
  const drills = new WebhooksDrillsPage(explorer);
  await webhooks.goto();
  await webhooks.subscribe(receiver.url, "Buyer:");
  await webhooks.expectSubscribed(receiver.url);
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectDelivered("repairer.procurements");
  await webhooks.open("repairer.procurements");
  await drills.showBesideDelivery();
  await drills.runAll();
  await drills.expectScore({ passed: drillNames.length - 4, failed: 4 });
  await drills.expectLine("One byte flipped", "passed", "Refused it with 401");
  await drills.open("Six minutes ahead");
  await drills.expectLine("Six minutes ahead", "failed", "stale_timestamp");
  await explorer.getByRole("link", { name: "View example code" }).click();

  // The subscription's page has the same drill open, with its code.
  await drills.expectCodeMarks("verify-webhook.ts", "stale_timestamp");
  await drills.chooseLanguage("Python");
  await drills.expectCodeMarks("verify_webhook.py", "stale_timestamp");
  await expectAccessible(explorer);
  await explorer.reload();
  await drills.expectCodeMarks("verify_webhook.py", "stale_timestamp");
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);

  // A common mistake is named with its line of code, in the same language.
  await drills.open("Printed differently");
  await expect(explorer.getByRole("region", { name: "Usually wrong" })).toContainText("json.dumps(");
  await expect(explorer.getByRole("region", { name: "verify_webhook.py" }).locator("[data-hit]")).toContainText(
    "hmac.new(secret.encode(), raw_body",
  );
  await expectAccessible(explorer);
  await drills.open("Six minutes ahead");

  // The lab shows the sent bytes.
  await explorer.getByRole("button", { name: /in the lab$/ }).click();
  await expect(explorer.getByRole("heading", { name: "From the future" })).toBeVisible();
  receiver.close();
});
