import { createHmac } from "node:crypto";
import { drillNames } from "../../sandbox/contract/drill-names.ts";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, type ServiceProcess, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { PartnerProgram, readWebhookSecret } from "../fixtures/partner-program.ts";
import { Receiver } from "../fixtures/receivers.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { ReadinessPage } from "../pages/readiness-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";
import { WebhooksDrillsPage } from "../pages/webhooks-drills-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

/** A receiver that fails once, then checks only the signature and ignores timestamps. */
const startReceiver = async (service: ServiceProcess): Promise<Receiver> => {
  const secret = await readWebhookSecret(service.ready);
  const signed = (body: string) => createHmac("sha256", secret).update(body).digest("base64");
  return new Receiver(({ headers, body }, count) =>
    count === 1 ? 503 : headers["service-hmac-sha256"] === signed(body) ? 200 : 401,
  ).listen();
};

/** The receiver passes all drills but the four about timestamps. */
const passing = drillNames.length - 4;

test("QA scores its own receiver and shares its readiness report", async ({ explorer, service }) => {
  const [calls, partner] = [new PartnerCalls(service.ready), new PartnerProgram(service.ready)];
  const [webhooks, drills] = [new WebhooksPage(explorer), new WebhooksDrillsPage(explorer)];
  const [readiness, requests] = [new ReadinessPage(explorer), new RequestsPage(explorer)];
  await new WorldSwitches(service.ready).set({ webhook_retries: "fast" });
  const receiver = await startReceiver(service);
  await calls.call("repairer.jobs.get", { identity: { external: "nobody" } });
  await calls.call("repairer.jobs.get", { identity: { external: "estimate:88213" } });

  await readiness.gotoOf("Tarn & Rowe Collision");
  await readiness.expectMet("Event types acknowledged", "0 of 2");
  await readiness.expectMet("Contract operations", /^1 of /);
  await expect(explorer.getByRole("link", { name: "3 calls" })).toBeVisible();
  await expect(readiness.steps("No subscription")).toHaveCount(1);
  await expect(readiness.steps("Drills")).toHaveCount(drillNames.length);

  // The first delivery succeeds at its second attempt.
  await webhooks.goto();
  await webhooks.subscribe(receiver.url, "Buyer:");
  await webhooks.expectSubscribed(receiver.url);
  await partner.order("J-20418", "Meridian Genuine Parts");
  await webhooks.expectDelivered("repairer.procurements");
  await webhooks.open("repairer.procurements");
  await drills.showBesideDelivery();
  await drills.runAll();
  await drills.expectScore({ passed: passing, failed: 4 });

  // From a subscription to its integration's progress.
  await webhooks.show("Subscriptions");
  await webhooks.subscription(receiver.url).getByRole("link").first().click();
  await explorer.getByRole("link", { name: "View readiness report" }).click();
  await readiness.expectOpen("Tarn & Rowe Collision");
  await readiness.expectMet("Event types acknowledged", "1 of 2");
  await readiness.expectMet("Drills passed", `${passing} of ${drillNames.length}`);
  await expect(readiness.row("Drills", /^Duplicate/)).toContainText("acknowledged");
  await expect(readiness.row("Drills", "Six minutes old")).toContainText("failed");
  await expect(explorer.getByText(/\b1 after a failure$/)).toBeVisible();
  await expect(readiness.steps("Retries")).toHaveCount(0);
  await expect(readiness.steps("Drills")).toHaveCount(4);
  await expect(readiness.steps("Operations").filter({ hasText: "Insert job" })).toHaveCount(1);
  // An extension is not part of the contract.
  await expect(readiness.steps("Operations").filter({ hasText: "Delete job" })).toHaveCount(0);
  await expect(readiness.steps("Operations").filter({ hasText: "Read job" })).toHaveCount(0);
  await expectAccessible(explorer);
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);

  // The count is updated live.
  await expect(readiness.row("Operations", "repairer.jobs.get")).toContainText("2");
  await calls.call("repairer.jobs.get", { identity: { external: "nobody else" } });
  await expect(
    readiness.row("Operations", "repairer.jobs.get").getByRole("link", { name: "3", exact: true }),
  ).toBeVisible();

  // Each number links to the counted calls.
  await readiness.row("Operations", "repairer.jobs.get").getByRole("link", { name: "2", exact: true }).click();
  await expect(requests.rows("Read job", "404")).toHaveCount(2);
  await expect(requests.rows()).toHaveCount(2);
  await explorer.goBack();

  const secrets = await new ControlProgram(service.ready).secrets();
  expect(secrets).toContain(await readWebhookSecret(service.ready));
  const markdown = await readiness.save("Markdown");
  expect(markdown).toMatch(/^# .*Tarn &amp; Rowe Collision/m);
  expect(markdown).toContain("| `repairer.jobs.get` | 3 | 1 | 2 |");
  const json = await readiness.save("JSON");
  expect(JSON.parse(json)).toMatchObject({
    summary: { drills: { met: drillNames.length, of: drillNames.length, passed: passing } },
  });
  const evidence = await readiness.save("signed evidence");
  expect(JSON.parse(evidence)).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const handedOut = explorer.getByRole("table", { name: /^Issued evidence/ }).getByRole("row");
  await expect(handedOut.filter({ hasText: "holds" })).toHaveCount(1);
  await handedOut.getByRole("button", { name: /^Revoke evidence / }).click();
  await explorer.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(handedOut.filter({ hasText: "revoked" })).toHaveCount(1);
  for (const secret of secrets) {
    for (const file of [evidence, markdown, json]) expect(file.includes(secret)).toBe(false);
  }
  receiver.close();

  // The overview of all integrations.
  await explorer.getByRole("link", { name: "Credentials" }).click();
  await explorer.getByRole("link", { name: "Readiness", exact: true }).click();
  const row = explorer.getByRole("row").filter({ hasText: "Tarn & Rowe Collision" });
  await expect(row).toContainText(new RegExp(`\\d+ of ${15 + drillNames.length} met`));
  await expectAccessible(explorer);
  await row.getByRole("link", { name: "default" }).click();
  await readiness.expectOpen("Tarn & Rowe Collision");
});

test("a partner first sees what its client's plan requires, for each integration", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  const readiness = new ReadinessPage(explorer);
  for (const code of [await program.issueCode(), await program.issueCode()])
    expect(await program.isCodeGood(code)).toBe(true);
  await program.require("Orders", [
    { kind: "operation", name: "repairer.jobs.insert" },
    { kind: "drill", name: "stale" },
  ]);
  await explorer
    .getByRole("navigation", { name: "Places" })
    .getByRole("link", { name: /^Install/ })
    .click();
  await explorer.getByRole("link", { name: "Readiness", exact: true }).click();
  const rows = explorer.getByRole("row").filter({ hasText: "Orders" });
  await expect(rows).toHaveCount(2);
  const [first, second] = (await rows.allInnerTexts()).map((text) => /\w{6}…\w{4}/.exec(text)?.[0] ?? "");
  expect(first).not.toBe(second);
  await rows.first().getByRole("link", { name: "default" }).click();
  await expect(explorer.getByRole("heading", { level: 1 }).locator("..")).toContainText(first ?? "");
  await expect(explorer.getByText("0 of 2 met")).toBeVisible();
  await expect(explorer.getByText("Plan Orders:")).toBeVisible();
  await expect(readiness.steps("Required by Orders")).toHaveText([/^Insert job/, /^Six minutes old/]);
  await expect(readiness.steps("Operations").filter({ hasText: "Insert job" })).toHaveCount(0);
  await expectAccessible(explorer);
});
