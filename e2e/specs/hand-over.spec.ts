import { policyLabels, policyQuestions } from "../../sandbox/contract/control/policies.ts";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, ServiceProcess, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { RequestsPage } from "../pages/requests-page.ts";
import { ScenariosPage } from "../pages/scenarios-page.ts";

test.use({ ownService: true });

test("support records a failing order, and another service reproduces it, but not with the other setting", async ({
  explorer,
  service,
  browser,
}) => {
  const [partner, program] = [new PartnerCalls(service.ready), new ControlProgram(service.ready)];
  const order = await program.order("TRC-20397-1");
  await new WorldSwitches(service.ready).set({ confirm_when_confirmed: "reject" });
  const confirm = () => partner.call("supplier.procurements.confirm", { identity: { id: order } }, "supplier");
  expect([await confirm(), await confirm()]).toEqual([200, 422]);

  // Support exports both calls with the initial world.
  const [requests, scenarios] = [new RequestsPage(explorer), new ScenariosPage(explorer)];
  await requests.goto();
  await requests.narrow("Operation", "Confirm order");
  await expect(requests.rows()).toHaveCount(2);
  await explorer.getByRole("button", { name: "Record all matching calls as a scenario" }).click();
  await requests.dialog.getByRole("textbox", { name: "Name" }).fill("Acme 4417: confirmed twice");
  await expectAccessible(explorer);
  await requests.dialog.getByRole("button", { name: "Record", exact: true }).click();
  await expect(requests.dialog.getByRole("button", { name: "Save to Scenarios" })).toBeVisible();
  await expectAccessible(explorer);
  await requests.dialog.getByRole("button", { name: "Save to Scenarios" }).click();
  await expect(explorer).toHaveURL(/\/scenarios\/acme-4417-confirmed-twice/);

  // The partner expected a 200, so the file checks for it.
  await expect(scenarios.steps.last()).toContainText("Confirm order");
  const at = await scenarios.steps.count();
  await scenarios.act(`The whole step ${at}`);
  await scenarios.act("Edit expected status");
  await scenarios.detail.getByRole("spinbutton", { name: "Expected status" }).fill("200");
  await scenarios.act("Save status");
  await expect(scenarios.detail.getByRole("spinbutton", { name: "Expected status" })).toBeHidden();
  await scenarios.act(/^Run/);
  await scenarios.expectFailedAt(at);
  const saved = await scenarios.saveAsFile();
  for (const secret of await program.secrets()) expect(saved).not.toContain(secret);

  // A developer opens the file on another service.
  const elsewhere = new ServiceProcess();
  await elsewhere.start();
  try {
    const window = await (await browser.newContext()).newPage();
    await window.goto(elsewhere.ready.explorer_url);
    const there = new ScenariosPage(window);
    await there.goto();
    await there.openFile("acme-4417.json", saved);
    await expect(there.steps).toHaveCount(at);
    await there.act(/^Run/);
    await there.expectFailedAt(at);
    const difference = there.detail.getByRole("region", { name: "First difference" });
    await expect(difference.getByRole("row").nth(1)).toHaveText("/status200422");
    await expect(there.step(at)).toContainText("422");
    await expectAccessible(window);

    await there.act("Run with…");
    await there.dialog.getByLabel(policyQuestions.confirm_when_confirmed.question).first().click();
    await window.getByRole("option", { name: policyLabels.confirm_when_confirmed.ok }).click();
    await there.dialog.getByRole("button", { name: "Run", exact: true }).click();
    await there.expectPassed(at);
    await expect(there.run).toContainText("confirm_when_confirmed ok");
  } finally {
    await elsewhere.end();
  }
});
