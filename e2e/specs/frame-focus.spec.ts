import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";

const go = async (page: Page, letter: string): Promise<void> => {
  await page.keyboard.press("g");
  await page.keyboard.press(letter);
};

test("keyboard navigation moves focus to its target: place, open row or tab", async ({ explorer }) => {
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

  const jobs = new JobsPage(explorer);
  await jobs.backToAll();
  await expect(jobs.list.getByRole("link", { name: "J-20419" })).toBeFocused();
  // A click has the same effect, and typing is never interrupted.
  await jobs.row("J-20418").click();
  await expect(row).toBeFocused();
  await jobs.search.click();
  await explorer.keyboard.type("J-2041");
  await expect(jobs.search).toBeFocused();
  await explorer.getByRole("tab", { name: "Overview" }).focus();
  await go(explorer, "o");
  await frame.expectPlace("Overview");
  await expect(place).toBeFocused();
});
