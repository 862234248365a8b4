import { writeFile } from "node:fs/promises";
import { policyLabels, policyQuestions } from "../../sandbox/contract/control/policies.ts";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { PartnerCalls } from "../fixtures/partner-calls.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";
import { WorldsPage } from "../pages/worlds-page.ts";

const conflict = policyLabels.jobs_insert_conflict;
const retries = policyLabels.webhook_retries;

test("a world is saved, reset and restored from its snapshots", async ({ explorer, service }) => {
  const name = "kept";
  const program = new ControlProgram(service.ready);
  const [worlds, menu] = [new WorldsPage(explorer), new WorldsMenu(explorer)];
  await program.insertJob(name, "QA-1");
  const { jobs } = (await program.world(name)).counts;
  await worlds.goto();
  await expect(worlds.row("default")).toContainText("in this window");
  await expect(worlds.row(name)).toContainText(`${jobs} jobs`);
  await expect(worlds.row(name)).toContainText(/resets in/);
  // The feed updates the window's own world, without waiting for the ten-second read.
  const own = (await program.world("default")).counts.jobs;
  await program.insertJob("default", "QA-0");
  await expect(worlds.row("default")).toContainText(`${own + 1} jobs`, { timeout: 5_000 });
  await worlds.open(name);

  await worlds.saveSnapshot(name, "with-one");
  await expect(worlds.snapshot("with-one")).toBeVisible();
  await program.insertJob(name, "QA-2");
  await worlds.act(name, "Reset");
  await menu.confirm("Reset", name);
  await expect.poll(async () => (await program.world(name)).counts.jobs).toBe(jobs - 1);
  await expect(worlds.snapshot("Reset")).toContainText("2 more jobs");
  await expectAccessible(explorer);
  await worlds.snapshot("Reset").getByRole("button", { name: "Undo reset" }).click();
  await expect(worlds.detail(name)).toContainText(`${jobs + 1} jobs`);

  // The restore can be undone, too, and saved snapshots remain.
  await expect(worlds.snapshot("Restored")).toContainText("2 fewer jobs");
  await worlds.snapshot("with-one").getByRole("button", { name: "Restore" }).click();
  await expect.poll(async () => (await program.world(name)).counts.jobs).toBe(jobs);
  // The checkpoint saved before it moves the rows down.
  await expect(worlds.snapshot("Restored")).toHaveCount(2);
  await worlds.more("with-one", "Delete");
  await worlds.dialog.getByRole("button", { name: "Delete snapshot" }).click();
  await expect(worlds.snapshot("with-one")).toHaveCount(0);
});

test("an exported world has no secrets and opens as an additional world", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  const [worlds, notices] = [new WorldsPage(explorer), new NoticesPage(explorer)];
  await program.insertJob("qa", "QA-1");
  const { jobs } = (await program.world("qa")).counts;
  const secrets = await program.secrets();
  await worlds.goto();
  await worlds.open("qa");
  const file = await worlds.exported("qa");
  expect(file.text).toContain("QA-1");
  for (const secret of secrets) expect(file.text.includes(secret)).toBe(false);
  await worlds.openFile(file.path);
  await expect(worlds.detail("qa-copy")).toContainText(`${jobs} jobs`);
  await expect(worlds.row("qa-copy")).toBeVisible();
  await expect(worlds.name("qa-copy")).toBeFocused();

  // An invalid file is refused and changes nothing.
  const before = await program.worlds();
  await writeFile(file.path, "no world");
  await worlds.openFile(file.path);
  await expect(notices.toasts.filter({ hasText: "Open file" })).toHaveCount(1);
  await writeFile(file.path, '{"format":"integrations-explorer-worlds","worlds":[]}');
  await worlds.openFile(file.path);
  await expect(notices.toasts.filter({ hasText: "Open file" })).toHaveCount(2);
  expect(await program.worlds()).toEqual(before);
});

test("a setting shows both responses, and all settings can be reset at once", async ({ explorer, service }) => {
  const [worlds, partner] = [new WorldsPage(explorer), new PartnerJobs(service.ready)];
  const site = await partner.site();
  const again = async () =>
    (await new PartnerCalls(service.ready).call("repairer.jobs.insert", {
      identity: { external: "inserted twice" },
      repairer_site_id: site,
    })) as number;
  expect(await again()).toBe(200);
  expect(await again()).toBe(422);
  await worlds.goto();
  const one = explorer.getByRole("region", { name: policyQuestions.jobs_insert_conflict.question });
  await expect(one).toContainText("D30");
  await expect(one).not.toContainText("changed");
  // One example shows both responses.
  await expect(one.getByRole("definition")).toHaveText([/^422 unprocessable/, /^200 accepted/]);
  await expect(one.getByRole("term")).toHaveText(["current", "alternative"]);
  await expect(
    explorer.getByRole("region", { name: policyQuestions.webhook_retries.question }).getByRole("definition"),
  ).toHaveCount(3);
  await expect(one.getByRole("radio", { name: conflict.reject })).toBeChecked();
  await one.getByRole("radio", { name: conflict.update }).click();
  await expect(one).toContainText("changed");
  await expect(explorer.getByText("1 of 8 changed")).toBeVisible();
  await expect(one.getByRole("term")).toHaveText(["alternative", "current"]);
  await expectAccessibleInBoth(explorer);
  expect(await again()).toBe(200);

  await explorer.getByRole("button", { name: "Reset to defaults" }).click();
  await expect(one.getByRole("radio", { name: conflict.reject })).toBeChecked();
  await expect(explorer.getByRole("button", { name: "Reset to defaults" })).toBeDisabled();
  expect(await again()).toBe(422);

  // The badge describes the assumption, and is the target of links to the decision.
  const badge = one.getByRole("link", { name: "assumption D30" });
  await badge.hover();
  await expect(explorer.getByRole("tooltip")).toContainText("D30");
  await badge.click();
  await expect(explorer).toHaveURL(/\/worlds\/default\/D30/);
  await expect(one.getByRole("heading")).toBeFocused();
});

test("settings of another world load only when this window opens it", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  await program.insertJob("qa", "QA-1");
  const { last_active_at } = await program.world("qa");
  const worlds = new WorldsPage(explorer);
  await worlds.goto();
  await expect(worlds.detail("default").getByText("no recorded calls")).toBeVisible();
  await worlds.open("qa");
  await expect(worlds.detail("qa").getByText(/^called /)).toBeVisible();
  await expect(worlds.detail("qa").getByRole("link", { name: "Open qa" })).toBeVisible();
  await expect(worlds.clock).toHaveCount(0);
  expect((await program.world("qa")).last_active_at).toBe(last_active_at);
  await worlds.detail("qa").getByRole("link", { name: "Open qa" }).click();
  await expect(explorer.getByRole("region", { name: policyQuestions.part_ordered_on.question })).toBeVisible();
});

test.describe("a damaged world", () => {
  test.use({ ownService: true });

  test("is listed with its reason, and works again from its newest snapshot", async ({ explorer, service }) => {
    const program = new ControlProgram(service.ready);
    const worlds = new WorldsPage(explorer);
    await program.insertJob("qa", "QA-1");
    const { jobs } = (await program.world("qa")).counts;
    await worlds.goto();
    await worlds.open("qa");
    await worlds.saveSnapshot("qa", "whole");
    await expect(worlds.snapshot("whole")).toBeVisible();
    await program.insertJob("lost", "LO-1");
    await service.stop();
    service.spoil("qa");
    service.spoil("lost");
    await service.start();
    await explorer.reload();
    await expect(worlds.row("qa")).toContainText("damaged");
    const damaged = explorer.getByRole("region", { name: "qa is damaged" });
    await expect(damaged).toContainText("not a database");
    await expect(damaged).toContainText("D87");
    await expectAccessible(explorer);
    await damaged.getByRole("button", { name: "Restore newest snapshot" }).click();
    await expect(damaged).toBeHidden();
    expect((await program.world("qa")).counts.jobs).toBe(jobs);
    await worlds.open("lost");
    await expect(explorer.getByRole("region", { name: "lost is damaged" })).toBeVisible();
    await expect(worlds.detail("lost").getByRole("button", { name: "Restore newest snapshot" })).toHaveCount(0);
  });
});

test("a world is compared with another and with its own snapshot", async ({ explorer, service }) => {
  const [here, other] = ["compared", "other"];
  const program = new ControlProgram(service.ready);
  const worlds = new WorldsPage(explorer);
  await program.insertJob(here, "CMP-1");
  await program.insertJob(other, "CMP-2");
  await program.setPolicies(other, { webhook_retries: "none" });
  await worlds.goto();
  await worlds.open(here);
  await worlds.saveSnapshot(here, "as-it-was");
  await worlds.detail(here).getByRole("link", { name: "Compare", exact: true }).click();
  const page = explorer.getByRole("article", { name: `${here} compared` });
  await page.getByLabel("Compared with (there)").first().click();
  await explorer.getByRole("option", { name: `the world ${other}` }).click();
  await expect(page.getByText("Differences found.")).toBeVisible();
  const jobs = page.getByRole("list", { name: "Different jobs" }).getByRole("listitem");
  await expect(jobs).toHaveText([/^CMP-1only here$/, /^CMP-2only there$/]);
  const assumptions = page.getByRole("list", { name: "Different assumptions" });
  for (const text of [policyQuestions.webhook_retries.question, retries.standard, retries.none])
    await expect(assumptions).toContainText(text);
  await expectAccessible(explorer);

  await program.insertJob(here, "CMP-3");
  await explorer.goBack();
  await worlds.snapshot("as-it-was").getByRole("link", { name: "Compare with now" }).click();
  await expect(page.getByText("Differences found.")).toBeVisible();
  await expect(jobs).toHaveText([/^CMP-3only here$/]);
  await expect(explorer).toHaveURL(/snapshot=as-it-was/);
});
