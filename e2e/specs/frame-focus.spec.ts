import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

const go = async (page: Page, letter: string): Promise<void> => {
  await page.keyboard.press("g");
  await page.keyboard.press(letter);
};

test("after a step by keyboard the focus stands on what it led to: the place, the row that is open, the tab", async ({
  explorer,
}) => {
  test.slow();
  const frame = new FramePage(explorer);
  const place = explorer.getByRole("main");
  await explorer.getByRole("region", { name: "Lifecycle map" }).getByRole("link").first().focus();
  await go(explorer, "j");
  await frame.expectPlace("Jobs");
  await expect(place).toBeFocused();
  await expect(place).toHaveAccessibleName("Jobs");
  await expect(place.getByText("J-20418", { exact: true })).toBeVisible();

  await explorer.keyboard.press("j");
  await explorer.keyboard.press("Enter");
  await expect(explorer).toHaveURL(/\/jobs\/[0-9a-f-]{36}/);
  const row = explorer.locator('.list [aria-current="true"]');
  await expect(row).toBeFocused();
  await explorer.keyboard.press("j");
  await explorer.keyboard.press("Enter");
  await expect(row).toBeFocused();
  await expect(explorer.getByRole("tab", { name: /^Basket/ })).toBeVisible();
  await explorer.keyboard.press("3");
  await expect(explorer.getByRole("tab", { name: /^Basket/, selected: true })).toBeVisible();
  await expect(explorer.locator("body")).not.toBeFocused();
  await explorer.getByRole("tabpanel").getByRole("link").first().focus();
  await explorer.keyboard.press("1");
  await expect(explorer.getByRole("tab", { name: "Overview" })).toBeFocused();

  await explorer.goBack();
  await go(explorer, "o");
  await frame.expectPlace("Overview");
  await expect(place).toBeFocused();
});

test("a click that leads away leaves the focus where it can go on from, and typing is never interrupted", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.row("J-20418").click();
  await expect(explorer.locator('.list [aria-current="true"]')).toBeFocused();
  await jobs.search.click();
  await explorer.keyboard.type("J-2041");
  await expect(jobs.search).toBeFocused();
});

test("a dialog that is left gives the focus back to where it was, also the first time it is opened", async ({
  explorer,
}) => {
  const [frame, jobs] = [new FramePage(explorer), new JobsPage(explorer)];
  await jobs.goto();
  await expect(jobs.row("J-20420")).toBeVisible();
  for (const key of ["j", "j"]) await explorer.keyboard.press(key);
  const row = jobs.list.getByRole("link", { name: "J-20419" });
  await expect(row).toBeFocused();
  // On a slow machine it is left before its first field has taken the focus.
  const machine = await explorer.context().newCDPSession(explorer);
  await machine.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  for (const _time of ["first", "second"]) {
    await explorer.keyboard.press("n");
    await expect(explorer.getByRole("dialog", { name: "New job" })).toBeVisible();
    await explorer.keyboard.press("Escape");
    await expect(explorer.getByRole("dialog")).toBeHidden();
    await expect(row).toBeFocused();
  }
  await machine.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await frame.goTo("Webhooks");
  const receivers = explorer.getByRole("link", { name: "Receivers" });
  await receivers.focus();
  await explorer.keyboard.press("n");
  await expect(explorer.getByRole("dialog")).toBeVisible();
  await explorer.keyboard.press("Escape");
  await expect(receivers).toBeFocused();
});

test("who goes back from a job to all of them stands on its row", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await expect(jobs.row("J-20420")).toBeVisible();
  for (const key of ["j", "j", "Enter"]) await explorer.keyboard.press(key);
  await expect(explorer.locator('.list [aria-current="true"]')).toBeFocused();
  await jobs.backToAll();
  await expect(jobs.list.getByRole("link", { name: "J-20419" })).toBeFocused();
  await explorer.keyboard.press("j");
  await expect(jobs.list.getByRole("link", { name: "J-20418" })).toBeFocused();
});

test("who goes to another world, resets or deletes one by keys stands on the worlds’ button, and nowhere is it lost", async ({
  explorer,
}) => {
  test.slow();
  const [worlds, jobs, notices] = [new WorldsMenu(explorer), new JobsPage(explorer), new NoticesPage(explorer)];
  const button = (world: string) => worlds.bar.getByRole("button", { name: `World ${world}` });
  /** From a row of the list, which another world does not have. */
  const openFromRow = async () => {
    // The list is read anew after all that is done to the world.
    await expect(async () => {
      await explorer.keyboard.press("j");
      const row = jobs.list.getByRole("link", { name: /^J-/ }).and(explorer.locator(":focus"));
      await expect(row).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await explorer.keyboard.press("w");
    await expect(worlds.menu.getByRole("link").and(explorer.locator(":focus"))).toBeVisible();
  };
  const press = async (name: string, within = worlds.menu) => {
    await within.getByRole("button", { name, exact: true }).focus();
    await explorer.keyboard.press("Enter");
  };
  await worlds.create("qa");
  await jobs.goto();
  await expect(jobs.row("J-20420")).toBeVisible();

  await openFromRow();
  await explorer.keyboard.press("ArrowDown");
  await explorer.keyboard.press("Enter");
  await expect(button("default")).toBeFocused();
  await expect(jobs.row("J-20420")).toBeVisible();
  await expect(button("default")).toBeFocused();
  await worlds.switchTo("qa");
  await expect(jobs.row("J-20420")).toBeVisible();

  await openFromRow();
  await press("Reset qa");
  await expect(worlds.question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await press("Reset qa", worlds.question);
  await expect(button("qa")).toBeFocused();
  await expect(notices.toast("qa was reset")).toBeVisible();
  await expect(button("qa")).toBeFocused();
  await press("Undo", notices.toasts);
  await expect(notices.toast("qa was restored")).toBeVisible();
  await expect(explorer.getByRole("main")).toBeFocused();

  await openFromRow();
  await press("Delete qa");
  await press("Delete qa", worlds.question);
  await worlds.expectCurrent("default");
  await expect(notices.toast("qa was deleted")).toBeVisible();
  await expect(button("default")).toBeFocused();
});

test("the key after Escape means the place again", async ({ explorer }) => {
  const frame = new FramePage(explorer);
  await frame.search("jobs");
  await explorer.keyboard.press("Escape");
  await go(explorer, "j");
  await frame.expectPlace("Jobs");
});

test("every place has a title of its own, and the theme’s choices are announced to screen readers", async ({
  explorer,
}) => {
  const frame = new FramePage(explorer);
  for (const place of ["Overview", "Install", "Jobs", "Procurements", "Webhooks"]) {
    await frame.goTo(place);
    await expect(explorer).toHaveTitle(new RegExp(`^${place} · Integrations Explorer$`));
  }
  await frame.bar.getByRole("button", { name: "Theme" }).click();
  await expect(explorer.getByRole("menuitemradio", { name: "System" })).toBeChecked();
  await expectAccessible(explorer);
  await explorer.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(explorer.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
});
