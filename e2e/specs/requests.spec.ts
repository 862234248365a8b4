import { createHmac } from "node:crypto";
import { drillNames } from "../../sandbox/contract/drill-names.ts";
import { drills as declared } from "../../sandbox/contract/drills.ts";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { PartnerProgram, readWebhookSecret } from "../fixtures/partner-program.ts";
import { Receiver } from "../fixtures/receivers.ts";
import { FramePage } from "../pages/frame-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";
import { WebhooksDrillsPage } from "../pages/webhooks-drills-page.ts";
import { WebhooksLabPage } from "../pages/webhooks-lab-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

test("support gets from a 422 on insert to the corrected body in the ticket", async ({ explorer, service }) => {
  const [requests, partner, jobs] = [
    new RequestsPage(explorer),
    new PartnerCalls(service.ready),
    new PartnerJobs(service.ready),
  ];
  const body = {
    identity: { external: "estimate:of-the-spec" },
    repairer_site_id: await jobs.site(),
    claim_number: "LRM-1",
  };
  expect(await partner.call("repairer.jobs.insert", body)).toBe(200);
  await requests.goto();
  expect(await partner.call("repairer.jobs.insert", { ...body, claim_number: "LRM-2" })).toBe(422);

  // The call appears live; the filters find it.
  await expect(requests.rows("Insert job", "422")).toHaveCount(1);
  await expect(requests.rows("Insert job", "200")).toHaveCount(1);
  await requests.chips.getByRole("button", { name: /^Refused/ }).click();
  await expect(explorer).toHaveURL(/[?&]refused/);
  await expect(requests.rows("200")).toHaveCount(0);
  await requests.open("Insert job", "422");
  // The address contains only the call; the list keeps its filter.
  await expect(explorer).toHaveURL(/\/requests\/[0-9a-f-]{36}$/);
  await expect(requests.rows("200")).toHaveCount(0);

  await expect(requests.refusal).toContainText("exists");
  // The response, the contract and the assumption with its setting are separate.
  await expect(requests.refusal).not.toContainText(/contract|assum/);
  const contract = requests.call.getByRole("region", { name: "Contract and assumptions" });
  await expect(contract).toContainText("contract");
  await expect(contract).toContainText("D30");
  await expect(contract.getByRole("radiogroup", { name: /jobs_insert_conflict/ })).toBeVisible();
  await expect(requests.call.getByRole("region", { name: "Proposed correction" })).toContainText("if_");
  await expect(requests.call.getByRole("region", { name: "Checks, in order" })).toContainText("Rules refused");
  await expect(requests.call.getByText("invalid", { exact: true })).toBeVisible();

  const ticket = await requests.ticket();
  expect(ticket).toContain("Proposed correction");
  expect(ticket).toContain('"if_"');
  expect(ticket).toContain("LRM-2");

  // The editor starts with the ticket's correction, which the service accepts.
  await requests.act("Fix in editor");
  await expect(requests.dialog.getByRole("textbox", { name: "Body" })).toHaveValue(/"if_"/);
  await requests.dialog.getByRole("button", { name: "Send" }).click();
  await expect(requests.call.getByRole("heading", { level: 2, name: "Insert job" })).toBeVisible();
  await expect(requests.call).toHaveAccessibleName("Insert job, 200");
  expect((await jobs.get("estimate:of-the-spec")).claim_number).toBe("LRM-2");

  await requests.show("Compare");
  await expect(requests.call.getByRole("region", { name: "Request body" })).toContainText("if_");
  await expectAccessibleInBoth(explorer);
});

test("support finds a refused upload and a refused install link with their causes", async ({ explorer, service }) => {
  const [requests, partner] = [new RequestsPage(explorer), new PartnerCalls(service.ready)];
  const upload = "/__uploads/93014059-0550-527f-b4db-22fe3a43bd62?expires=1762137000000";
  expect(await partner.send(upload, "a picture", null, "PUT")).toBe(403);
  expect(await partner.send("/__oauth/authorize?client_id=Demo-Client", null, null, "GET")).toBe(400);
  await requests.goto();
  await requests.open("Upload a picture", "403");
  await expect(requests.refusal).toContainText("upload_url");
  await requests.open("Consent page", "400");
  await expect(requests.refusal).toContainText("client_id");
});

test("operation, caller and text filter the list and its address, and an export contains no secrets", async ({
  explorer,
  service,
}) => {
  const [requests, partner] = [new RequestsPage(explorer), new PartnerCalls(service.ready)];
  const installed = await new PartnerProgram(service.ready).install("Tarn & Rowe Collision", "repairer");
  await partner.call("businesses.list", {});
  await partner.call("repairer.jobs.get", { identity: { external: "needle-in-a-body" } });
  await partner.call("repairer.jobs.get", { identity: { external: "x" } }, "supplier");
  await requests.goto();
  await requests.narrow("Operation", "Read job");
  await expect(requests.rows()).toHaveCount(2);
  await requests.narrow("Who", "Suppliers’ keys");
  await expect(requests.rows()).toHaveCount(1);
  await expect(explorer).toHaveURL(/operation=repairer\.jobs\.get.*who=supplier/);
  await explorer.reload();
  await expect(requests.rows()).toHaveCount(1);
  // A second click removes the filter.
  await requests.narrow("Who", "Suppliers’ keys");
  await requests.search("needle-in-a-body");
  await expect(requests.rows()).toHaveCount(1);
  await requests.search("nothing has this");
  await expect(explorer.getByText("No matching calls")).toBeVisible();
  await explorer.getByRole("button", { name: "Clear filter" }).click();
  await expect(requests.rows("List businesses")).toHaveCount(1);

  // Escape clears the search; a second one returns to the open row in the list.
  await requests.open("List businesses");
  await explorer.keyboard.press("/");
  await explorer.keyboard.type("needle");
  await expect(requests.rows()).toHaveCount(1);
  await explorer.keyboard.press("Escape");
  await expect(requests.rows("List businesses")).toHaveCount(1);
  await explorer.keyboard.press("Escape");
  await expect(requests.rows("List businesses")).toBeFocused();

  // The export of all calls contains secrets only on request.
  const secrets = await new ControlProgram(service.ready).secrets();
  expect(secrets).toContain(installed.api_key);
  expect(secrets.length).toBeGreaterThan(3);
  await expect(requests.rows("Complete an install")).toHaveCount(1);
  const exported = async (withKeys: boolean) => {
    await explorer.getByRole("button", { name: "Export all matching calls" }).click();
    await requests.dialog.getByRole("checkbox", { name: /Include the keys/ }).setChecked(withKeys);
    return requests.save();
  };
  const file = await exported(false);
  await expect(requests.dialog).toBeHidden();
  expect(file).toContain("businesses.list");
  for (const secret of secrets) expect(file.includes(secret), "the file has a secret").toBe(false);
  expect(await exported(true)).toContain(service.ready.credentials?.repairer.api_key);
});

test("a call is sent again and compared, and with another key, which survives a reload", async ({
  explorer,
  service,
}) => {
  const [requests, partner] = [new RequestsPage(explorer), new PartnerCalls(service.ready)];
  await partner.send("/api/2026-01/repairer.work-providers.list", {}, "supplier");
  await partner.call("repairer.jobs.get", { identity: { external: "nobody" } });
  await requests.goto();
  await requests.open("Read job", "404");
  // The replay key works only while the focus is in the open call, and is shown only to keyboard users.
  const key = requests.call.getByRole("button", { name: "Replay" }).locator("kbd");
  await expect(key).toBeHidden();
  await requests.call.getByRole("button", { name: "Share" }).focus();
  await explorer.keyboard.press("Tab");
  await expect(key).toBeVisible();
  await requests.act("Replay");
  await expect(requests.rows("Read job", "404")).toHaveCount(2);
  await requests.show("Compare");
  await expect(requests.call.getByRole("region", { name: "Request body" })).toContainText("identical");

  await requests.open("List insurers", "403");
  await requests.act("Edit and send");
  await requests.dialog.getByRole("textbox", { name: "Body" }).fill('{"x":');
  await expect(requests.dialog.getByText(/Not valid JSON/)).toBeVisible();
  await requests.dialog.getByRole("textbox", { name: "Body" }).fill('{"typed":1}');
  await explorer.reload();
  await requests.act("Edit and send");
  await expect(requests.dialog.getByRole("textbox", { name: "Body" })).toHaveValue('{"typed":1}');
  await requests.dialog.getByRole("combobox", { name: "Send as" }).click();
  await explorer.getByRole("option", { name: /Collision, buyer/ }).click();
  await requests.dialog.getByRole("button", { name: "Send" }).click();
  await expect(requests.call).toHaveAccessibleName("List insurers, 200");
});

test("a reset elsewhere closes the recording of its world’s calls", async ({ explorer, service }) => {
  const requests = new RequestsPage(explorer);
  await new PartnerCalls(service.ready).call("repairer.jobs.get", { identity: { external: "nobody" } });
  await requests.goto();
  await explorer.getByRole("button", { name: /^Record all/ }).click();
  await expect(requests.dialog).toContainText("Records this call");
  await new ControlProgram(service.ready).reset("default");
  await expect(requests.dialog).toHaveCount(0);
});

test("a body of a megabyte opens without blocking, and binary is shown as bytes", async ({ explorer, service }) => {
  const [requests, partner] = [new RequestsPage(explorer), new PartnerCalls(service.ready)];
  const parts = Array.from({ length: 12_000 }, (_, index) => ({ number: `N-${index}`, description: "x".repeat(40) }));
  await partner.call("repairer.jobs.parts.insert", { job_identity: { external: "x" }, parts });
  await partner.call("repairer.jobs.get", `{"note":"${"y".repeat(900_000)}"}`);
  await partner.call("repairer.jobs.get", "\u0001\u0002 not text");
  await requests.goto();
  await requests.open("Add parts");
  await expect(requests.call.getByText('"parts"')).toBeVisible();
  const lines = await requests.call.locator(".code .ln").count();
  expect(lines).toBeLessThan(700);
  await requests.rows("Read job").last().click();
  await expect(requests.call.getByText(/more characters/)).toBeVisible();
  await requests.rows("Read job").first().click();
  await expect(requests.call.getByRole("region", { name: /request body, 11 bytes/ })).toBeVisible();
});

test("support finds from a plate why a confirmation never arrived", async ({ explorer, service }) => {
  const [requests, frame, procurements] = [
    new RequestsPage(explorer),
    new FramePage(explorer),
    new ProcurementsPage(explorer),
  ];
  const [webhooks, lab, drills] = [
    new WebhooksPage(explorer),
    new WebhooksLabPage(explorer),
    new WebhooksDrillsPage(explorer),
  ];
  const partner = new PartnerProgram(service.ready);
  // The receiver verifies its framework's output instead of the received bytes.
  const secret = await readWebhookSecret(service.ready);
  const printed = (body: string) => JSON.stringify(JSON.parse(body), null, 2);
  const sign = (body: string) => createHmac("sha256", secret).update(body).digest("base64");
  const receiver = await new Receiver(({ headers, body }) =>
    headers["service-hmac-sha256"] === sign(printed(body)) ? 200 : 401,
  ).listen();
  await partner.subscribe(receiver.url);
  const [reference = ""] = await partner.order("J-20418", "Meridian Genuine Parts");
  await partner.confirm(reference);

  // The job shows that an event was not sent.
  await frame.run("NKR482", /^J-20418/);
  const failing = explorer.getByRole("link", { name: /^\d failing/ });
  await expect(failing).toHaveAttribute("href", /\/webhooks\/[0-9a-f-]{36}/);

  // From the plate to the order, and to the failed attempt.
  await frame.run("NKR482", new RegExp(`^${reference}`));
  await procurements.expectOpen(reference);
  const deliveries = explorer
    .getByRole("region", { name: "Confirmation" })
    .getByRole("list", { name: "Deliveries", exact: true });
  await expect(deliveries).toContainText("401");
  await deliveries.getByRole("link", { name: "Open" }).click();
  await webhooks.expectStatus("retrying");
  await webhooks.expectVerdict("401", "receiver’s side");

  // The sent bytes are correct; the partner hashed something else.
  await webhooks.openInLab();
  await lab.expectVerified();
  await lab.body.fill(printed(await lab.body.inputValue()));
  await lab.expectWrong("Body re-serialised");

  // Drills confirm it: the receiver accepts no valid request.
  await explorer.goBack();
  await drills.showBesideDelivery();
  await drills.runAll();
  const good = drillNames.filter((drill) => declared[drill].expects.answer === "acknowledge");
  await drills.expectScore({ passed: 0, failed: good.length });

  // The report shows the call that caused everything.
  await explorer.getByRole("tab", { name: "Response" }).click();
  await explorer.getByRole("link", { name: "View call", exact: true }).click();
  await expect(requests.call).toHaveAccessibleName("Confirm order, 200");
  await expectAccessibleInBoth(explorer);
  const ticket = await requests.ticket();
  expect(ticket).toContain("receiver’s side");
  expect(ticket).toMatch(/Duplicate, failed/);
  for (const one of await new ControlProgram(service.ready).secrets()) expect(ticket.includes(one)).toBe(false);
  receiver.close();
});
