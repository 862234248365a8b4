import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";

const places = (page: Page) => page.getByRole("navigation", { name: "Places" });
const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search);

const hostile = [
  "integrations-explorer://__oauth/authorize?client_id=x&redirect_uri=http://127.0.0.1:1/",
  "integrations-explorer://jobs/../../__sandbox/worlds.reset",
  "integrations-explorer://jobs#token=stolen",
  "integrations-explorer://jobs?token=stolen",
  "integrations-explorer:///\\example.invalid",
  "integrations-explorer://https://explorer.invalid/",
  "integrations-explorer:javascript:alert(1)",
];

test("a link starts the app at its place, or appears in the window of its world", async ({ desktop }) => {
  const { app, page } = await desktop.start({ link: "integrations-explorer://procurements?status=order_requested" });
  const native = new Native(app);
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  expect(await addressOf(page)).toContain("status=order_requested");
  await page.evaluate(() => Object.assign(window, { untouched: true }));

  const { exitStatus } = await desktop.startBeside({ link: "integrations-explorer://jobs" });
  expect(exitStatus).toBe(0);
  await expect(page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  expect(await page.evaluate(() => "untouched" in window)).toBe(true);
  expect(await native.windowCount()).toBe(1);
  await page.goBack();
  await expect.poll(() => addressOf(page)).toContain("/procurements");

  const other = await native.windowOpenedBy(() =>
    desktop.startBeside({ link: "integrations-explorer://webhooks?world=qa" }),
  );
  await other.getByRole("button", { name: "Create world" }).click();
  await expect(other.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  await expect.poll(() => addressOf(other)).toBe("/webhooks?world=qa");
  expect(await addressOf(page)).toContain("/procurements");

  await desktop.startBeside({ link: "integrations-explorer://procurements?world=qa" });
  await expect(other.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  expect(await native.windowCount()).toBe(2);

  await test.step("a reproduction opened in the file manager is saved once and shown", async () => {
    const file = path.join(desktop.newFolder(), "Acme 4417.reproduction");
    const steps = [{ call: { operation: "businesses.list", as: "repairer" }, expect: { status: 200 } }];
    writeFileSync(file, JSON.stringify({ scenario: 1, name: "Acme, 4417", steps }));
    for (const _ of ["once", "again"]) {
      await places(page).getByRole("link", { name: /^Jobs/ }).click();
      await desktop.startBeside({ link: file });
      await expect(page.getByRole("article", { name: "Acme, 4417" })).toBeVisible();
      expect(await addressOf(page)).toBe("/scenarios/acme-4417");
    }
  });

  await test.step("a hostile link opens nothing and shows a message", async () => {
    const asked = await native.answerMessages(0);
    const openedOutside = await native.watchOpening();
    await places(page).getByRole("link", { name: /^Jobs/ }).click();
    const token = await page.evaluate(() => localStorage.getItem("explorer.control-token"));

    for (const link of hostile) {
      await app.evaluate(({ app: electron }, url) => electron.emit("open-url", { preventDefault() {} }, url), link);
      await expect.poll(() => asked.evaluate((boxes) => boxes.at(-1)?.detail)).toContain(link);
    }
    await desktop.startBeside({ link: 'integrations-explorer://jobs" --data-folder=/tmp' });
    await expect.poll(() => asked.evaluate((boxes) => boxes.length)).toBe(hostile.length + 1);
    expect(await addressOf(page)).toBe("/jobs");
    expect(await page.evaluate(() => localStorage.getItem("explorer.control-token"))).toBe(token);
    expect(await openedOutside.evaluate((urls) => urls.length)).toBe(0);
    expect(await native.windowCount()).toBe(2);
  });
});
