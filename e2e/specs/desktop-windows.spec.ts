import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";

const places = (page: Page) => page.getByRole("navigation", { name: "Places" });
const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search);

test("key and context menu open a link in a new window, in its world", async ({ desktop }) => {
  const { app, page } = await desktop.start({ link: "integrations-explorer://overview?world=qa" });
  await page.getByRole("button", { name: "Create world" }).click();
  const native = new Native(app);
  const opened = await native.windowOpenedBy(() =>
    places(page)
      .getByRole("link", { name: /^Jobs/ })
      .click({ modifiers: ["ControlOrMeta"], noWaitAfter: true }),
  );
  await expect(opened.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  await expect.poll(() => addressOf(opened)).toBe("/jobs?world=qa");
  // The first window stays unchanged, and each now has its own world.
  await expect.poll(() => addressOf(page)).toBe("/?world=qa");

  await native.keepContextMenu();
  const copied = await native.watchClipboard();
  await places(page)
    .getByRole("link", { name: /^Webhooks/ })
    .click({ button: "right" });
  await expect.poll(() => native.contextMenu()).toEqual(["Open in new window", "Copy link"]);
  await native.chooseFromContextMenu("copy-link");
  const beside = await native.windowOpenedBy(() => native.chooseFromContextMenu("open-in-new-window"));
  await expect(beside.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  expect(await copied.evaluate((texts) => [...texts])).toEqual(["integrations-explorer://webhooks?world=qa"]);

  await page.getByRole("main").click({ button: "right", position: { x: 4, y: 4 } });
  await expect.poll(() => native.contextMenu()).toEqual(["Open in new window", "Copy link to this place"]);
});

test("menu and mouse act only in the last used window: back and forward, find, open a file", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const native = new Native(app);
  const heading = (of: Page, name: string) => of.getByRole("heading", { level: 1, name });
  await places(page).getByRole("link", { name: /^Jobs/ }).click();
  await expect(heading(page, "Jobs")).toBeVisible();
  await places(page)
    .getByRole("link", { name: /^Webhooks/ })
    .click();
  await expect(heading(page, "Webhooks")).toBeVisible();

  const other = await native.windowOpenedBy(() => native.choose("new-window"));
  await places(other).getByRole("link", { name: /^Jobs/ }).click();
  await expect(heading(other, "Jobs")).toBeVisible();
  await native.choose("back");
  await expect(heading(other, "Jobs")).toBeHidden();
  await expect(heading(page, "Webhooks")).toBeVisible();
  await native.choose("forward");
  await expect(heading(other, "Jobs")).toBeVisible();

  await test.step("the mouse goes back and forward in its own window's history", async () => {
    const window = await app.browserWindow(page);
    await window.evaluate((one) => void one.emit("app-command", {}, "browser-backward"));
    await expect(heading(page, "Jobs")).toBeVisible();
    await window.evaluate((one) => void one.emit("app-command", {}, "browser-forward"));
    await expect(heading(page, "Webhooks")).toBeVisible();
    await expect(heading(other, "Jobs")).toBeVisible();
  });

  await test.step("Edit → Find… searches the last used window", async () => {
    const bar = (of: Page) => of.getByRole("search", { name: "Find on this page" });
    await native.choose("find");
    await bar(other).getByRole("textbox").fill("J-20418");
    await expect(bar(other).getByRole("status")).toHaveText("1 of 1");
    await expect(bar(page)).toHaveCount(0);
    // A second request starts again.
    await native.choose("find");
    await expect(bar(other).getByRole("textbox")).toHaveValue("");
    await expect(bar(other).getByRole("textbox")).toBeFocused();
    await other.keyboard.press("Escape");
  });

  await test.step("File → Open… opens a scenario or HAR in the last used window", async () => {
    const steps = [{ call: { operation: "businesses.list", as: "repairer" }, expect: { status: 200 } }];
    const folder = desktop.newFolder();
    const scenario = JSON.stringify({ scenario: 1, name: "From the menu", steps });
    await native.openNext(path.join(folder, "menu.json"), scenario);
    await native.choose("open-document");
    await expect(other.getByRole("article", { name: "From the menu" })).toBeVisible();

    const call = { method: "POST", url: "http://127.0.0.1/api/2026-01/businesses.list", headers: [] };
    await native.openNext(path.join(folder, "calls.har"), JSON.stringify({ log: { entries: [{ request: call }] } }));
    await native.choose("open-document");
    const imported = other.getByRole("dialog", { name: "Import a call" });
    await expect(imported.getByRole("status")).toContainText("HAR: 1 call");
    expect(await addressOf(page)).toBe("/webhooks");
  });
});
