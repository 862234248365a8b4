import { expect } from "@playwright/test";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("a crashed page reloads with its draft or closes its window, and the other window keeps running", async ({
  desktop,
}) => {
  const { app, page } = await desktop.start();
  const native = new Native(app);
  const other = await native.windowOpenedBy(() => native.choose("new-window"));
  const jobs = new JobsPage(page);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.openEdit();
  await jobs.form.getByRole("textbox", { name: "claim_number" }).fill("CLM-before-the-crash");
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("CLM-before-the-crash");
  const address = await page.evaluate(() => location.pathname + location.search);
  const entries = await page.evaluate(() => history.length);

  const window = await app.browserWindow(page);
  const asked = await native.answerMessages(0);
  await native.crash(page);
  await expect
    .poll(() => asked.evaluate((boxes) => boxes.map(({ message }) => message)))
    .toEqual(["This window stopped working"]);
  /** Playwright has no page object after a crash. */
  const inPage = (expression: string) =>
    window.evaluate(({ webContents }, script) => webContents.executeJavaScript(script), expression);
  await expect.poll(() => inPage("location.pathname + location.search")).toBe(address);
  await expect
    .poll(() => inPage("[...document.querySelectorAll('[role=dialog] input')].map(({ value }) => value)"))
    .toContain("CLM-before-the-crash");

  // Another entry with the same address would make the first Back seem to do nothing.
  expect(await inPage("history.length")).toBe(entries);

  await other
    .getByRole("navigation", { name: "Places" })
    .getByRole("link", { name: /^Webhooks/ })
    .click();
  await expect(other.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  expect(await native.windowCount()).toBe(2);

  // The other answer closes the window.
  await native.answerMessages(1);
  await window.evaluate(({ webContents }) => webContents.forcefullyCrashRenderer());
  await expect.poll(() => native.windowCount()).toBe(1);
  await expect(other.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
});
