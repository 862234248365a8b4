import { expect, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("the table’s order is in the address, and kept beside a job; its columns are remembered", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.expectSorted("Last changed", "descending");
  await jobs.sortByHead("Job number");
  await jobs.expectSorted("Job number", "ascending");
  await jobs.expectSorted("Last changed", "none");
  await expect(explorer).toHaveURL(/sort=job_number/);
  await jobs.sortByHead("Job number");
  await jobs.expectSorted("Job number", "descending");
  await jobs.expectFirst("J-20420");
  await explorer.reload();
  await jobs.expectSorted("Job number", "descending");
  await jobs.expectFirst("J-20420");
  await jobs.row("J-20418").click();
  await expect(jobs.job).toBeVisible();
  await explorer.reload();
  await jobs.expectFirst("J-20420");
  await jobs.backToAll();
  await jobs.sortByHead("Last changed");
  await expect(explorer).not.toHaveURL(/sort=/);

  await expect(jobs.head("Chassis")).toBeHidden();
  await jobs.toggleColumns("Chassis", "Claim");
  await expect(jobs.head("Chassis")).toBeVisible();
  await expect(jobs.head("Claim")).toBeHidden();
  await expect(jobs.row("J-20418")).toContainText("7A8DK0S1904128461");
  await explorer.reload();
  await expect(jobs.head("Chassis")).toBeVisible();
  await expect(jobs.head("Claim")).toBeHidden();
});
