import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("a job with a live order can't be deleted and names the order; another one can", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20397");
  const dialog = await jobs.openDelete();
  await expect(dialog.getByText(/\b422\b/)).toBeVisible();
  await expect(dialog.getByRole("link", { name: "TRC-20397-1" })).toBeVisible();
  await dialog.getByRole("button", { name: /^Delete job/ }).click();
  await expect(dialog.getByRole("alert")).toContainText("TRC-20397-1");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(jobs.job).toHaveAccessibleName("Job J-20397");

  await jobs.open("J-20419");
  await jobs.openDelete();
  await expect(dialog).toContainText("/__extensions/2026-01/repairer.jobs.delete");
  await expect(dialog.getByText("extension", { exact: true })).toBeVisible();
  await expectAccessible(explorer);
  await dialog.getByRole("button", { name: /^Delete job/ }).click();
  await expect(dialog).toBeHidden();
  await jobs.search.fill("J-20419");
  await expect(explorer.getByText(/No job matches/)).toBeVisible();
});
