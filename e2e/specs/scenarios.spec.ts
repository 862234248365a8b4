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
  await expect(scenarios.row("Install and first order")).toContainText("not run");
  await explorer.reload();
  await expect(scenarios.steps.first()).toBeVisible();
  await expect(explorer.locator("body")).toBeFocused();
  await scenarios.open("Install and first order");
  await scenarios.act(/^Run/);
  await expect(scenarios.state).toHaveText("16 of 16 steps passed", { timeout: 30_000 });
  await expect(scenarios.run).toContainText("a new world, deleted since");
  await expect(scenarios.step(2)).toContainText("Exchange the code for an API key");
  await expect(scenarios.step(3)).toContainText("401");
  await expect(scenarios.row("Install and first order")).toContainText("16 of 16 steps passed");
  await expectAccessibleInBoth(explorer);
});

test("with another setting a step differs and says why, and its world stays until deleted", async ({ explorer }) => {
  const scenarios = new ScenariosPage(explorer);
  await scenarios.goto();
  await scenarios.open("Confirm an order twice, and a cancelled order");
  await scenarios.act("Run with…");
  await scenarios.dialog
    .getByLabel(/Confirm an already confirmed order/)
    .first()
    .click();
  await explorer.getByRole("option", { name: "refuse with 422" }).click();
  await scenarios.dialog.getByRole("button", { name: "Run" }).click();
  await expect(scenarios.state).toHaveText(/^failed at step \d+$/, { timeout: 30_000 });
  const difference = scenarios.detail.getByRole("region", { name: "First difference" });
  await expect(difference.getByRole("row").nth(1)).toHaveText("/status200422");
  await expect(difference).toContainText('Cause: setting "Confirm an already confirmed order"');
  await expect(scenarios.run).toContainText("--policy confirm_when_confirmed=reject");
  await expectAccessible(explorer);

  const address = scenarios.run.getByRole("textbox", { name: "At another address" });
  await address.fill("api.example.com");
  await expect(scenarios.run).toContainText("Enter an http or https URL.");
  await address.fill("https://api.example.com");
  await expect(scenarios.run).toContainText("--url 'https://api.example.com'");

  const world = scenarios.run.getByRole("link", { name: /^run-/ });
  const name = (await world.textContent()) ?? "";
  await scenarios.run.getByRole("button", { name: "Delete its world" }).click();
  await expect(scenarios.run).toContainText("a new world, deleted since");
  await explorer.getByRole("link", { name: /^Worlds/ }).click();
  await expect(explorer.getByRole("heading", { level: 1, name: "Worlds" })).toBeVisible();
  await expect(explorer.getByRole("link", { name: new RegExp(`^${name} `) })).toHaveCount(0);
});

test("a step's call opens in the Console, in the run's world and with its key", async ({ explorer }) => {
  const [scenarios, console] = [new ScenariosPage(explorer), new ConsolePage(explorer)];
  const body = { identity: { external: "the step's own" } };
  const step = {
    name: "Asked",
    call: { operation: "repairer.jobs.get", as: "repairer", body },
    expect: { status: 404 },
  };
  await scenarios.goto();
  await scenarios.openScenario("Own.json", { ...byHand, name: "Own", steps: [step] });
  await scenarios.act(/^Step by step/);
  await expect(scenarios.state).toHaveText("waits at step 1");
  await scenarios.detail.getByRole("link", { name: "Open in the Console" }).click();
  await expect.poll(() => console.body()).toEqual(body);
  await expect(explorer).toHaveURL(/world=run-/);
  await console.send();
  await console.expectAnswer(404, "not_found");
});

test("step by step, a call from anywhere completes a step, or a button sends it", async ({ explorer, service }) => {
  const scenarios = new ScenariosPage(explorer);
  await scenarios.goto();
  await scenarios.openScenario("Sites & insurers.json", byHand);
  await expect(explorer).toHaveURL(/\/scenarios\/sites-insurers/);
  await scenarios.act(/^Step by step/);
  await expect(scenarios.state).toHaveText("waits at step 1");
  const waiting = scenarios.detail.getByRole("region", { name: "What to do now" });
  await expect(waiting).toContainText("with the buyer’s pre-loaded key");
  const world = (await waiting.getByRole("link", { name: /^run-/ }).textContent()) ?? "";

  const partner = new PartnerCalls(service.ready);
  await partner.call("repairer.work-providers.list", {}, "repairer", world);
  await expect(scenarios.state).toHaveText("waits at step 1");
  await partner.call("businesses.list", {}, "repairer", world);
  await expect(scenarios.step(1)).toContainText("called by partner");
  await expect(scenarios.state).toHaveText("waits at step 2");
  await waiting.getByRole("button", { name: "Run this step" }).click();
  await expect(scenarios.state).toHaveText("2 of 2 steps passed");
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
  await expect(scenarios.state).toHaveText("waits at step 1");
  await scenarios.step(20).getByRole("button", { name: "Run up to here" }).click();
  await expect(scenarios.state).toHaveText("waits at step 21", { timeout: 20_000 });
  await expect(scenarios.step(21).getByRole("button", { name: "Run this step" })).toBeInViewport();
  await expect(scenarios.step(20).getByRole("button", { name: "Run up to here" })).toHaveCount(0);
  await scenarios.act("Stop");
  // Until the run has stopped, its steps have buttons with the same prefix.
  await expect(scenarios.state).toHaveText("stopped after 20 of 31");
  await scenarios.act(/^Run/);
  await expect(scenarios.state).toHaveText("failed at step 31", { timeout: 20_000 });
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
  await expect(notices.toast("Open a scenario")).toContainText("broken.json is not valid JSON");
  await scenarios.openFile("wrong.json", JSON.stringify({ scenario: 1, name: "n", steps: [] }));
  await expect(notices.toast("Open a scenario: 400 bad_request")).toContainText("/steps");
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
  await wrong.getByRole("button", { name: "Step 1: /call/operatoin is not a known field" }).click();
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
  await expect(scenarios.row("Only the sites")).toContainText("1 step");

  const saved = JSON.parse(await scenarios.saveAsFile()) as { name: string };
  expect(saved.name).toBe("Only the sites");

  await scenarios.act("Delete");
  await scenarios.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(scenarios.row("Only the sites")).toHaveCount(0);
  await expect(explorer.getByRole("article", { name: "Confirm an order twice, and a cancelled order" })).toBeVisible();
  await explorer.getByRole("button", { name: "Undo" }).click();
  await expect(explorer.getByRole("article", { name: "Only the sites" })).toBeVisible();
  await expect(scenarios.row("Only the sites")).toContainText("1 step");
});
