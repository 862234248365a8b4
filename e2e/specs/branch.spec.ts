import { readFile } from "node:fs/promises";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { ConsolePage } from "../pages/console-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { ProcurementsPage } from "../pages/procurements-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";
import { ScenariosPage } from "../pages/scenarios-page.ts";
import { WorldClock } from "../pages/world-clock.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

test.use({ ownService: true });

const requested = "TRC-20397-1";

test("a branch tries another outcome of a confirmed order, and a refused call again, in a world from before it", async ({
  explorer,
  service,
}) => {
  const [orders, worlds, notices] = [
    new ProcurementsPage(explorer),
    new WorldsMenu(explorer),
    new NoticesPage(explorer),
  ];
  const [requests, console] = [new RequestsPage(explorer), new ConsolePage(explorer)];
  const dialog = explorer.getByRole("dialog", { name: "Branch from here" });
  const name = dialog.getByRole("textbox", { name: "Name of the new world" });
  const program = new ControlProgram(service.ready);
  await program.insertJob("default", "BEFORE-1");
  await new WorldSwitches(service.ready).set({ confirm_when_confirmed: "reject" });
  await orders.goto();
  await orders.open(requested);
  await orders.confirmAsSupplier();
  await orders.expectState("order_confirmed");

  await orders.show("History");
  await explorer.getByRole("button", { name: "Branch from here" }).click();
  await expect(name).toHaveValue("default-branch");
  await name.fill("default");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByRole("button", { name: "Create and open" })).toBeDisabled();
  await name.fill("what-if");
  await expectAccessible(explorer);
  await dialog.getByRole("button", { name: "Create and open" }).click();

  await worlds.expectCurrent("what-if");
  await expect(notices.toast("World what-if created")).toContainText(/\b1 call\b/);
  await orders.expectOpen(requested);
  await orders.expectState("order_requested");
  await orders.previewCancel("Supplier", "Meridian Genuine Parts");
  await orders.sendCancel();
  await orders.expectState("cancelled");
  await worlds.switchTo("default");
  await orders.expectState("order_confirmed");

  // A refused call changed nothing that could be shown, so its branch opens in the Console with that call.
  const partner = new PartnerCalls(service.ready);
  const identity = { id: await program.order(requested) };
  expect(await partner.call("supplier.procurements.confirm", { identity }, "supplier")).toBe(422);
  await requests.goto();
  await requests.open("procurements.confirm", "422");
  await requests.act("Branch from here");
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await worlds.expectCurrent("default-branch");
  await expect(explorer).toHaveURL(/\/console\/supplier\.procurements\.confirm\?/);
  await expect.poll(() => console.body()).toEqual({ identity });
  await console.send();
  await console.expectAnswer(422, "unprocessable");
});

test("calls, two at once, and a scenario step are branched with their progress, and a refusal says why", async ({
  explorer,
  service,
}) => {
  const [requests, scenarios, worlds, console] = [
    new RequestsPage(explorer),
    new ScenariosPage(explorer),
    new WorldsMenu(explorer),
    new ConsolePage(explorer),
  ];
  const program = new ControlProgram(service.ready);
  const dialog = explorer.getByRole("dialog", { name: "Branch from here" });
  await program.insertJob("default", "BRANCHED-1");
  await requests.goto();
  await requests.open("jobs.insert");
  const started = "2026-11-26T00:00:00.000Z";
  const work = (id: string, to: string, progress: number | null) => ({
    ...{ id, kind: "branch", world: "default", to, asked_at: started, progress },
  });
  const held: (() => void)[] = [];
  const hold = () => new Promise<void>((go) => held.push(go));
  await explorer.route("**/worlds.branch", async (route) => {
    await hold();
    await route.fulfill({ status: 422, json: { type: "unprocessable", message: "cancelled" } });
  });
  await explorer.route("**/work.list", (route) =>
    route.fulfill({ json: { items: [work("1", "first", 0.4), work("2", "second", null)] } }),
  );
  for (const [name, progress] of [
    ["first", "0.4"],
    ["second", "0"],
  ] as const) {
    await requests.act("Branch from here");
    await expect(dialog.getByRole("textbox")).toBeVisible();
    await expect(dialog.getByRole("progressbar")).toHaveCount(0);
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("button", { name: "Create and open" }).click();
    await expect(dialog.getByRole("progressbar", { name })).toHaveAttribute("value", progress);
    await expect(dialog.getByRole("progressbar")).toHaveCount(1);
    await explorer.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
  for (const go of held.splice(0)) go();
  await explorer.unrouteAll({ behavior: "wait" });

  await requests.act("Branch from here");
  const refusal = { type: "unprocessable", message: "Calls were deleted." };
  await explorer.route("**/worlds.branch", (route) => route.fulfill({ status: 422, json: refusal }));
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await expect(dialog.getByRole("alert")).toContainText(refusal.message);
  await explorer.unroute("**/worlds.branch");
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await worlds.expectCurrent("default-branch");
  // The new world lacks the job, but shows its call for editing.
  await expect(explorer).toHaveURL(/\/console\/repairer\.jobs\.insert\?/);
  await expect.poll(() => console.body()).toMatchObject({ job_number: "BRANCHED-1" });

  await explorer.route("**/runs.step", async (route) => {
    await hold();
    await route.continue();
  });
  await scenarios.goto();
  await scenarios.open("install-and-first-order");
  await scenarios.step(4).getByRole("button", { name: "The whole step 4" }).click();
  await scenarios.step(4).getByRole("button", { name: "Branch from here" }).click();
  await dialog.getByRole("textbox").fill("step-4");
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await expect(dialog.getByRole("progressbar", { name: /\b1 to 3$/ })).toHaveAttribute("value", "0");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  held.pop()?.();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await expect.poll(() => held.length).toBe(1);
  held.pop()?.();
  await worlds.expectCurrent("step-4");
  expect(await program.worlds()).toEqual(expect.arrayContaining(["default", "default-branch", "step-4"]));
  expect((await program.worlds()).filter((world) => world.startsWith("run-"))).toEqual([]);
});

test("any step of a run can be branched while its world exists, and the branch's clock may be behind", async ({
  explorer,
}) => {
  const [scenarios, worlds, clock] = [new ScenariosPage(explorer), new WorldsMenu(explorer), new WorldClock(explorer)];
  const dialog = explorer.getByRole("dialog", { name: "Branch from here" });
  const file = await readFile(
    new URL("../../docs/scenarios/two-suppliers-partial-basket.json", import.meta.url),
    "utf8",
  );
  const scenario = JSON.parse(file) as { readonly steps: readonly object[] };
  const failing = scenario.steps.with(13, { ...scenario.steps[13], expect: { status: 422 } });
  const branch = async (number: number) => {
    await scenarios
      .step(number)
      .getByRole("button", { name: `The whole step ${number}` })
      .click();
    await scenarios.step(number).getByRole("button", { name: "Branch from here" }).click();
    await expect(dialog.getByRole("textbox")).toHaveValue("refused-branch");
    await dialog.getByRole("textbox").fill(`step-${number}`);
    await dialog.getByRole("button", { name: "Create and open" }).click();
    await worlds.expectCurrent(`step-${number}`);
  };
  await scenarios.goto();
  await scenarios.openScenario("refused.json", { ...scenario, name: "Refused basket", steps: failing });
  await scenarios.act(/^Run/);
  await scenarios.expectFailedAt(14);
  const of = explorer.url();
  await branch(10);
  await explorer.goto(of);
  await branch(14);
  await expect(clock.link).toContainText("behind");
});
