import { createHmac } from "node:crypto";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { ageless } from "../fixtures/receivers.ts";
import { WebhooksLabPage } from "../pages/webhooks-lab-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

const SECRET = "pwh_a_partner_s_own_secret";
const STAMP = "2026-03-11T22:05:07.204Z";
const BODY = JSON.stringify({
  message_id: "194a000c-d6ca-4d95-a6ab-2b301f5a49c0",
  webhook_timestamp: STAMP,
  payload: { job_id: "ab7953c2-259b-4676-8de2-dd32487df2fb" },
});
const sign = (body: string, encoding: "base64" | "hex" = "base64") =>
  createHmac("sha256", SECRET).update(body).digest(encoding);

test("a partner's body, header, secret and moment are pasted, and the lab says what is wrong", async ({ explorer }) => {
  const webhooks = new WebhooksPage(explorer);
  const lab = new WebhooksLabPage(explorer);
  await webhooks.goto();
  await webhooks.show("Lab");
  await lab.expectEmpty();

  await lab.paste({ body: BODY, header: `service-hmac-sha256: ${sign(BODY)}`, secret: SECRET, at: STAMP });
  await lab.expectVerified();
  await expectAccessible(explorer);

  await lab.paste({ body: JSON.stringify(JSON.parse(BODY), null, 2), header: sign(BODY) });
  await lab.expectVerdicts("passed", "failed", "skipped", "skipped");
  await lab.expectWrong("Body re-serialised");
  await lab.expectWords(/raw bytes before anything parses them/);

  await lab.paste({ body: BODY, header: sign(BODY, "hex") });
  await lab.expectWrong("Hex instead of base64");
  await lab.paste({ body: BODY, header: `x-signature: ${sign(BODY)}` });
  await lab.expectVerdicts("failed", "skipped", "skipped", "skipped");
  await lab.expectWrong("Wrong header");
  await lab.paste({ body: BODY, header: sign(BODY), secret: "pwh_not_this_one" });
  await lab.expectWrong("Not a signature of these bytes");

  // What was pasted outlives a reload; the secret does not.
  await lab.paste({ body: BODY, header: sign(BODY), secret: SECRET, at: STAMP });
  await lab.expectVerified();
  await explorer.reload();
  await expect(lab.body).toHaveValue(BODY);
  expect(await explorer.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(SECRET);
  await lab.empty();
});

test("a delivery is opened in the lab, and what is changed of it there is found", async ({ explorer, service }) => {
  const webhooks = new WebhooksPage(explorer);
  const lab = new WebhooksLabPage(explorer);
  await webhooks.goto();
  await webhooks.subscribeBothSides();
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectDelivered("supplier.procurements");
  await webhooks.open("supplier.procurements");
  await webhooks.expectSignatureComputesEqual();
  await explorer.getByRole("button", { name: "Open in the lab" }).click();
  await lab.expectVerified();
  const judgedAt = explorer.getByRole("textbox", { name: "Verification time" });
  await expect(judgedAt).not.toHaveValue("");
  await expect(explorer.getByText(/^Verified as of .* \(the time in the form\)\.$/)).toBeVisible();

  // What is edited is judged at the moment it was loaded with, and said to be edited.
  await lab.body.fill((await lab.body.inputValue()).replace('"version":"v1"', '"version":"v2"'));
  await expect(judgedAt).not.toHaveValue("");
  await expect(explorer.getByText(/^Taken from attempt 1 of .*, edited$/)).toBeVisible();
  await lab.expectWrong("Body changed in transit");
  await lab.expectWords(/^They differ at byte \d+$/);

  await lab.empty();
  await lab.takeNewest();
  await lab.expectVerified();
  await lab.header.fill(`x-signature: ${await lab.header.inputValue()}`);
  await lab.expectWrong("Wrong header");
  await lab.header.fill("");
  await lab.expectWrong("No signature");
});

test("a receiver that refuses what is right is asked what it computed, and its wrong secret is the cause", async ({
  explorer,
  service,
}) => {
  const receiver = await ageless(SECRET).listen();
  const webhooks = new WebhooksPage(explorer);
  const lab = new WebhooksLabPage(explorer);
  await webhooks.goto();
  await webhooks.subscribe(receiver.url, "Buyer:");
  await webhooks.expectSubscribed(receiver.url);
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await expect(webhooks.rows("repairer.procurements").first()).toBeVisible();
  await webhooks.open("repairer.procurements");
  await webhooks.expectVerdict("The receiver answered 401");
  await webhooks.expectSignatureComputesEqual();
  await explorer.getByRole("button", { name: "Open in the lab" }).click();

  // It says in its answer what it expected, and the lab takes that along.
  await expect(lab.theirs).toHaveValue(sign(receiver.arrived[0]?.body ?? ""));
  await lab.expectVerified();
  await lab.expectOfReceiver("Different secret or bytes", "used another secret or other bytes");
  await expectAccessible(explorer);

  await lab.chooseSecret(SECRET);
  await lab.expectOfReceiver("Your receiver computed it with this secret over these bytes.", "for the reason above");
  await lab.expectWrong("Wrong secret");
  await lab.theirs.fill(sign(JSON.stringify(JSON.parse(receiver.arrived[0]?.body ?? ""), null, 2), "hex"));
  await lab.expectOfReceiver("Body re-serialised", "Hex instead of base64");
  receiver.close();
});
