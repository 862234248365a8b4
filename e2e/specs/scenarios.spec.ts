import { policyLabels, policyQuestions } from "../../sandbox/contract/control/policies.ts";
import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { ConsolePage } from "../pages/console-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { ScenariosPage } from "../pages/scenarios-page.ts";

test.use({ ownService: true });

/** The number of scenarios that the service ships. */
const SHIPPED = 13;

/** A scenario of two steps for a step-by-step run. */
const byHand = {
  scenario: 1,
  name: "Sites and insurers",
  steps: [
    { name: "Which sites the buyer has", call: { operation: "businesses.list", as: "repairer" } },
    { name: "Which insurers there are", call: { operation: "repairer.work-providers.list", as: "repairer" } },
  ],
};

test("shipped scenarios are listed, run, and show a result for each step", async ({ explorer }) => {
  const scenarios = new ScenariosPage(explorer);
  await scenarios.goto();
  await expect(scenarios.list.getByRole("link")).toHaveCount(SHIPPED);
  await expect(scenarios.row("install-and-first-order")).toContainText("not run");
  await explorer.reload();
  await expect(scenarios.steps.first()).toBeVisible();
  await expect(explorer.locator("body")).toBeFocused();
  await scenarios.open("install-and-first-order");
  await scenarios.act(/^Run/);
  await scenarios.expectPassed(16);
  // Its world is deleted.
  await expect(scenarios.run.getByRole("link", { name: /^run-/ })).toHaveCount(0);
  await expect(scenarios.step(2)).toContainText("integrations.insert");
  await expect(scenarios.step(3)).toContainText("401");
  await expect(scenarios.row("install-and-first-order")).toContainText("16 of 16");
  await expectAccessibleInBoth(explorer);
});

test("with another setting a step differs and says why, and its world stays until deleted", async ({ explorer }) => {
  const scenarios = new ScenariosPage(explorer);
  await scenarios.goto();
  await scenarios.open("confirm-twice-or-cancelled");
  await scenarios.act("Run with…");
  await scenarios.dialog.getByLabel(policyQuestions.confirm_when_confirmed.question).first().click();
  await explorer.getByRole("option", { name: policyLabels.confirm_when_confirmed.reject }).click();
  await scenarios.dialog.getByRole("button", { name: "Run" }).click();
  await expect(scenarios.state).toContainText("failed", { timeout: 30_000 });
  const difference = scenarios.detail.getByRole("region", { name: "First difference" });
  await expect(difference.getByRole("row").nth(1)).toHaveText("/status200422");
  await expect(difference.getByRole("link", { name: /D50/ })).toBeVisible();
  await expect(scenarios.run).toContainText("--policy confirm_when_confirmed=reject");
  await expectAccessible(explorer);

  const address = scenarios.run.getByRole("textbox", { name: "At another address" });
  await address.fill("api.example.com");
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await address.fill("https://api.example.com");
  await expect(scenarios.run).toContainText("--url 'https://api.example.com'");

  const world = scenarios.run.getByRole("link", { name: /^run-/ });
  const name = (await world.textContent()) ?? "";
  await scenarios.run.getByRole("button", { name: "Delete its world" }).click();
  await expect(world).toHaveCount(0);
  await explorer.getByRole("link", { name: /^Worlds/ }).click();
  await expect(explorer.getByRole("link", { name: /^default / })).toBeVisible();
  await expect(explorer.getByRole("link", { name: new RegExp(`^${name} `) })).toHaveCount(0);
});

test("step by step, a partner's call, a button or the Console completes a step", async ({ explorer, service }) => {
  const [scenarios, console] = [new ScenariosPage(explorer), new ConsolePage(explorer)];
  const body = { identity: { external: "the step's own" } };
  const call = { operation: "repairer.jobs.get", as: "repairer", body };
  const steps = [...byHand.steps, { name: "Asked", call, expect: { status: 404 } }];
  await scenarios.goto();
  await scenarios.openScenario("Sites & insurers.json", { ...byHand, steps });
  await expect(explorer).toHaveURL(/\/scenarios\/sites-insurers/);
  await scenarios.act(/^Step by step/);
  await scenarios.expectWaitsAt(1);
  const waiting = scenarios.detail.getByRole("region", { name: "What to do now" });
  const world = (await waiting.getByRole("link", { name: /^run-/ }).textContent()) ?? "";

  const partner = new PartnerCalls(service.ready);
  await partner.call("repairer.work-providers.list", {}, "repairer", world);
  await scenarios.expectWaitsAt(1);
  await partner.call("businesses.list", {}, "repairer", world);
  await expect(scenarios.step(1)).toContainText("partner");
  await scenarios.expectWaitsAt(2);
  await waiting.getByRole("button", { name: "Run this step" }).click();
  await scenarios.expectWaitsAt(3);
  // The Console opens with the step's call, in the run's world and with its key.
  await waiting.getByRole("link", { name: "Open in the Console" }).click();
  await expect.poll(() => console.body()).toEqual(body);
  await expect(explorer).toHaveURL(/world=run-/);
  await console.send();
  await console.expectAnswer(404, "not_found");
  await explorer.goBack();
  await scenarios.expectPassed(3);
  // The run's world stays for inspection.
  await scenarios
    .step(2)
    .getByRole("link", { name: /^Go to the call in / })
    .click();
  await expect(explorer.getByRole("heading", { level: 2, name: "List insurers" })).toBeVisible();
  await expect(explorer).toHaveURL(new RegExp(`world=${world}`));
});

test("step by step, all steps up to one are sent, and the first difference is focused", async ({ explorer }) => {
  const scenarios = new ScenariosPage(explorer);
  const [site] = byHand.steps;
  const steps = [...Array.from({ length: 30 }, () => site), { ...site, name: "The odd one", expect: { status: 404 } }];
  await scenarios.goto();
  await scenarios.openScenario("long.json", { ...byHand, name: "Long", steps });
  await scenarios.act(/^Step by step/);
  await scenarios.expectWaitsAt(1);
  await scenarios.step(20).getByRole("button", { name: "Run up to here" }).click();
  await scenarios.expectWaitsAt(21);
  await expect(scenarios.step(21).getByRole("button", { name: "Run this step" })).toBeInViewport();
  await expect(scenarios.step(20).getByRole("button", { name: "Run up to here" })).toHaveCount(0);
  await scenarios.act("Stop");
  // Until the run has stopped, its steps have buttons with the same prefix.
  await scenarios.expectStoppedAfter(20);
  await scenarios.act(/^Run/);
  await scenarios.expectFailedAt(31);
  await scenarios.detail.getByRole("button", { name: "Go to the first failure" }).click();
  await expect(scenarios.step(31)).toBeFocused();
  await expect(scenarios.step(31)).toBeInViewport();
});

test("invalid files are refused with their problems; valid ones are edited, saved and deleted", async ({
  explorer,
}) => {
  const [scenarios, notices] = [new ScenariosPage(explorer), new NoticesPage(explorer)];
  await scenarios.goto();
  await scenarios.openFile("broken.json", "{");
  await expect(notices.toast("Open a scenario")).toContainText("broken.json");
  await scenarios.openFile("wrong.json", JSON.stringify({ scenario: 1, name: "n", steps: [] }));
  await expect(notices.toast("400 bad_request")).toContainText("/steps");
  await expect(scenarios.list.getByRole("link")).toHaveCount(SHIPPED);

  await scenarios.openScenario("mine.json", byHand);
  await scenarios.detail.getByRole("radio", { name: "File" }).click();
  await scenarios.act("Edit steps and checks");
  const text = scenarios.detail.getByRole("textbox", { name: "The file" });
  await text.fill("{");
  const wrong = scenarios.detail.getByRole("status", { name: "Problems in the file" });
  await expect(wrong).toContainText("Invalid JSON");
  await expect(scenarios.detail.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await text.fill(JSON.stringify({ ...byHand, steps: [{ call: { operatoin: "businesses.list" } }] }));
  await wrong.getByRole("button", { name: /^Step 1:.*operatoin/ }).click();
  await expect(text).toBeFocused();
  await expect(text.locator(".je-fault")).toHaveCount(1);
  await scenarios.act(/^Save$/);
  await expect(scenarios.detail.getByRole("alert")).toContainText("operatoin");
  await text.fill(JSON.stringify({ ...byHand, name: "Only the sites", steps: byHand.steps.slice(0, 1) }));
  await expect(wrong).toHaveCount(0);
  await expectAccessible(explorer);
  // Typed text survives a change of tabs and a reload.
  await scenarios.detail.getByRole("radio", { name: "Steps" }).click();
  await scenarios.detail.getByRole("radio", { name: "File" }).click();
  await explorer.reload();
  await expect(scenarios.detail.getByText("Draft restored.")).toBeVisible();
  await expect(text).toContainText("Only the sites");
  await scenarios.act(/^Save$/);
  await expect(scenarios.row("mine")).toContainText("1 step");

  const saved = JSON.parse(await scenarios.saveAsFile()) as { name: string };
  expect(saved.name).toBe("Only the sites");

  await scenarios.act("Delete");
  await scenarios.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(scenarios.row("mine")).toHaveCount(0);
  await expect(explorer).not.toHaveURL(/\/mine/);
  await expect(scenarios.steps.first()).toBeVisible();
  await explorer.getByRole("button", { name: "Undo" }).click();
  await expect(explorer.getByRole("article", { name: "Only the sites" })).toBeVisible();
  await expect(scenarios.row("mine")).toContainText("1 step");
});
