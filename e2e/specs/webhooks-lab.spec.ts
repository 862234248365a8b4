import { createHmac } from "node:crypto";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { WebhooksLabPage } from "../pages/webhooks-lab-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

const SECRET = "pwh_a_partner_s_own_secret";
const STAMP = "2026-03-11T22:05:07.204Z";
const BODY = JSON.stringify({
  message_id: "194a000c-d6ca-4d95-a6ab-2b301f5a49c0",
  webhook_timestamp: STAMP,
  payload: { job_id: "ab7953c2-259b-4676-8de2-dd32487df2fb" },
});
const sign = (body: string) => createHmac("sha256", SECRET).update(body).digest("base64");

test("the lab says what is wrong with a pasted body, header, secret and time", async ({ explorer, service }) => {
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

  // Pasted values survive a reload, except the secret.
  await lab.paste({ body: BODY, header: sign(BODY), secret: SECRET, at: STAMP });
  await lab.expectVerified();
  await explorer.reload();
  await expect(lab.body).toHaveValue(BODY);
  expect(await explorer.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(SECRET);
  await lab.empty();

  // A delivery opens with the time it was sent.
  await webhooks.show("Subscriptions");
  await webhooks.subscribeBothSides();
  await new PartnerProgram(service.ready).order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectDelivered("supplier.procurements");
  await webhooks.open("supplier.procurements");
  await webhooks.openInLab();
  await lab.expectVerified();
  await expect(explorer.getByRole("textbox", { name: "Verification time" })).not.toHaveValue("");
  await lab.expectCompared(/(?<!not )as sent/, "attempt 1", "supplier.procurements");
  const sent = JSON.parse(await lab.body.inputValue()) as object;
  const sorted = Object.fromEntries(Object.entries(sent).toSorted(([one], [other]) => one.localeCompare(other)));
  await lab.body.fill(JSON.stringify(sorted));
  await lab.expectCompared("not as sent");
  await lab.body.fill(JSON.stringify({ ...sent, version: "v2" }));
  await lab.expectCompared("1 value differs", 'sent "v1", pasted "v2"');
  await expectAccessible(explorer);
  await lab.body.fill(JSON.stringify(sent));
  await lab.expectVerified();
  await lab.header.fill(`x-signature: ${await lab.header.inputValue()}`);
  await lab.expectWrong("Wrong header");
  await lab.empty();
  await lab.takeNewest();
  await lab.expectVerified();
});
