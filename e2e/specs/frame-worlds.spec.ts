import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";
import { WorldsPage } from "../pages/worlds-page.ts";

test("a new world is created by name, part of every address, and kept by a reload", async ({ explorer, service }) => {
  const [worldsMenu, frame, jobs] = [new WorldsMenu(explorer), new FramePage(explorer), new JobsPage(explorer)];
  await worldsMenu.expectCurrent("default");
  await worldsMenu.typeNew("harbour qa");
  const name = worldsMenu.form.getByRole("textbox", { name: "Name" });
  const create = worldsMenu.form.getByRole("button", { name: "Create and open" });
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(create).toBeDisabled();
  await name.fill("free");
  await expect(create).toBeEnabled();
  await name.fill("default");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(create).toBeDisabled();
  await explorer.keyboard.press("Escape");
  await worldsMenu.create("harbour-qa");
  await worldsMenu.expectTimeLeft();
  await frame.goTo("Jobs");
  await worldsMenu.expectCurrent("harbour-qa");
  await jobs.search.fill("J-204");
  await worldsMenu.expectCurrent("harbour-qa");

  // A program's changes appear only in their world.
  await jobs.search.fill("");
  await new ControlProgram(service.ready).insertJob("harbour-qa", "QA-1");
  await expect(jobs.row("QA-1")).toBeVisible();
  await explorer.reload();
  await worldsMenu.expectCurrent("harbour-qa");
  await expect(jobs.row("QA-1")).toBeVisible();
  await worldsMenu.switchTo("default");
  await frame.expectPlace("Jobs");
  await expect(jobs.row("J-20420")).toBeVisible();
  await expect(jobs.row("QA-1")).toHaveCount(0);

  await explorer.goBack();
  await worldsMenu.expectCurrent("harbour-qa");
  await expect(jobs.row("QA-1")).toBeVisible();
  await expect(explorer).toHaveTitle(/ · harbour-qa · /);

  await explorer.goto(`${service.ready.base_url}/jobs?world=no%20name`);
  await expect(new NoticesPage(explorer).toast("“no name”")).toBeVisible();
  await worldsMenu.expectCurrent("default");
});

test("a world can be copied, pinned, reset and deleted, each explained beforehand", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  const [worldsMenu, notices] = [new WorldsMenu(explorer), new NoticesPage(explorer)];
  const list = new JobsPage(explorer);
  await worldsMenu.create("qa");
  await program.insertJob("qa", "QA-1");
  await list.goto();
  await expect(list.row("QA-1")).toBeVisible();
  await worldsMenu.pin("qa");
  expect((await program.world("qa")).pinned).toBe(true);
  await worldsMenu.unpin("qa");

  await worldsMenu.copy("qa", "qa-kept");
  await expect(notices.toast("copied to qa-kept")).toBeVisible();
  const { jobs } = (await program.world("qa-kept")).counts;

  await worldsMenu.ask("Reset", "qa");
  await expect(worldsMenu.question).toContainText(`${jobs} jobs`);
  await expectAccessible(explorer);
  await worldsMenu.cancel();
  expect((await program.world("qa")).counts.jobs).toBe(jobs);
  await worldsMenu.ask("Reset", "qa");
  await worldsMenu.question.getByRole("button", { name: "Copy first" }).click();
  await expect(worldsMenu.form.getByRole("textbox", { name: "Name" })).toBeFocused();
  await explorer.keyboard.press("Escape");
  await worldsMenu.ask("Reset", "qa");
  await worldsMenu.confirm("Reset", "qa");
  await expect(notices.toast("qa was reset")).toBeVisible();
  await expect.poll(async () => (await program.world("qa")).counts.jobs).toBe(jobs - 1);
  await expect(list.row("J-20420")).toBeVisible();
  await expect(list.row("QA-1")).toHaveCount(0);
  // The window that requested the reset shows no second notice.
  await expect(notices.toasts.filter({ hasText: "was reset" })).toHaveCount(1);
  await notices.toast("qa was reset").getByRole("button", { name: "Undo" }).click();
  await expect(notices.toast("qa was restored")).toBeVisible();
  await expect(list.row("QA-1")).toBeVisible();
  await expect.poll(async () => (await program.world("qa")).counts.jobs).toBe(jobs);
  await expect(notices.toasts.filter({ hasText: "was reset" })).toHaveCount(0);

  await worldsMenu.ask("Delete", "qa");
  await expect(worldsMenu.question).toContainText("“default”");
  await worldsMenu.confirm("Delete", "qa");
  await worldsMenu.expectCurrent("default");
  await expect(explorer).toHaveURL(/\/worlds$/);
  await expect(new WorldsPage(explorer).row("qa")).toContainText("can be restored");
  await expect(notices.toast("qa was deleted")).toBeVisible();
  expect(await program.worlds()).toEqual(expect.not.arrayContaining(["qa"]));
  expect(await program.worlds()).toContain("qa-kept");
});

test("a world reset elsewhere reloads; a deleted one can be created or restored", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  const [worldsMenu, worldsPage, frame] = [new WorldsMenu(explorer), new WorldsPage(explorer), new FramePage(explorer)];
  const [jobs, notices] = [new JobsPage(explorer), new NoticesPage(explorer)];
  await worldsMenu.create("qa");
  await program.insertJob("qa", "QA-1");
  await worldsMenu.pin("qa");
  await jobs.goto();
  await expect(jobs.row("QA-1")).toBeVisible();
  await program.reset("qa");
  await expect(jobs.row("QA-1")).toHaveCount(0);
  await expect(notices.toast("qa was reset")).toBeVisible();

  await test.step("a window does not recreate a deleted world", async () => {
    await program.delete("qa");
    await expect(explorer.getByRole("heading", { name: /\bqa not found/ })).toBeVisible();
    await frame.expectConnection("Live");
    expect(await program.worlds()).not.toContain("qa");
    await expectAccessible(explorer);
  });
  await explorer.getByRole("link", { name: "View its snapshots" }).click();
  await worldsMenu.expectCurrent("default");
  await worldsPage.detail("qa").getByRole("button", { name: "Restore" }).first().click();
  await expect(worldsPage.row("qa")).toContainText("pinned");
  await expect(notices.toast("qa was restored")).toBeVisible();
  expect((await program.world("qa")).pinned).toBe(true);

  await worldsMenu.switchTo("qa");
  await program.delete("qa");
  await explorer.getByRole("button", { name: "Create world" }).click();
  await jobs.goto();
  await expect(jobs.row("J-20420")).toBeVisible();
  await expect.poll(() => program.worlds()).toContain("qa");
});

test("the worlds can be managed by keyboard alone, in the dark theme", async ({ explorer }) => {
  await explorer.emulateMedia({ colorScheme: "dark" });
  const worldsMenu = new WorldsMenu(explorer);
  await worldsMenu.create("one");
  await worldsMenu.create("two");
  await expect(worldsMenu.bar.getByRole("button", { name: "World two" })).toBeFocused();
  // Until the new world is loaded, the list has no row to focus.
  await expect(worldsMenu.bar.getByRole("button", { name: /^Pin two/ })).toBeVisible();
  await explorer.keyboard.press("w");
  await expect(worldsMenu.line("two")).toBeFocused();
  await expectAccessible(explorer);
  await explorer.keyboard.press("ArrowDown");
  await explorer.keyboard.press("ArrowDown");
  await expect(worldsMenu.line("one")).toBeFocused();
  await explorer.keyboard.press("Enter");
  await worldsMenu.expectCurrent("one");
  await expect(worldsMenu.menu).toBeHidden();
  await explorer.keyboard.press("w");
  await expect(worldsMenu.line("one")).toBeFocused();
  await explorer.keyboard.press("Escape");
  await expect(worldsMenu.bar.getByRole("button", { name: "World one" })).toBeFocused();
});
