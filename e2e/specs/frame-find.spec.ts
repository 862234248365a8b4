import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("find reaches folded and cut code, and a list's find searches all rows", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  const bar = explorer.getByRole("search", { name: "Find on this page" });
  const field = bar.getByRole("textbox", { name: "Find on this page" });
  const count = bar.getByRole("status");
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("JSON");
  const json = jobs.job.getByRole("region", { name: "response, JSON" });
  await json.getByRole("button", { name: "Fold everything" }).click();
  await expect(json).not.toContainText("estimate:88213");

  await explorer.keyboard.press("ControlOrMeta+f");
  await expect(field).toBeFocused();
  await field.fill('"external_id": "ESTIMATE:88213"');
  await expect(count).toHaveText("1 of 1");
  await expect(json).toContainText("estimate:88213");
  await expectAccessible(explorer);
  await field.fill("zzyzx");
  await expect(count).toHaveText("None");
  await field.fill("j-20418");
  await expect(count).toHaveText(/^1 of [2-9]$/);
  await field.press("Enter");
  await expect(count).toHaveText(/^2 of /);
  await field.press("Shift+Enter");
  await expect(count).toHaveText(/^1 of /);
  await field.press("Escape");
  await expect(bar).toBeHidden();
  // Sections that the search opened are closed again.
  await expect(json).not.toContainText("estimate:88213");

  await jobs.backToAll();
  await explorer.keyboard.press("ControlOrMeta+f");
  await field.fill("J-20391");
  await bar.getByRole("button", { name: "Search jobs" }).click();
  await expect(bar).toBeHidden();
  await expect(jobs.search).toHaveValue("J-20391");
  await expect(jobs.row("J-20391")).toBeVisible();
  await expect(jobs.row("J-20418")).toBeHidden();
});
