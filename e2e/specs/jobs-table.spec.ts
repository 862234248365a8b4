import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("the columns of the table are chosen, and remembered", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await expect(jobs.head("Chassis")).toBeHidden();
  await jobs.toggleColumns("Chassis", "Claim");
  await expect(jobs.head("Chassis")).toBeVisible();
  await expect(jobs.head("Claim")).toBeHidden();
  await expect(jobs.row("J-20418")).toContainText("7A8DK0S1904128461");
  await expectAccessible(explorer);
  await explorer.reload();
  await expect(jobs.head("Chassis")).toBeVisible();
  await expect(jobs.head("Claim")).toBeHidden();
});

test("the table is sorted by its heads, which say so, and the order is in the address", async ({ explorer }) => {
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
  await jobs.sortByHead("Last changed");
  await expect(explorer).not.toHaveURL(/sort=/);
});

test("keys walk through the table, open a job, and lead back to where it was", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await expect(jobs.row("J-20420")).toBeVisible();
  for (const key of ["j", "j", "ArrowDown", "k"]) await explorer.keyboard.press(key);
  await expect(jobs.list.getByRole("link", { name: "J-20419" })).toBeFocused();
  await explorer.keyboard.press("End");
  const last = jobs.list.getByRole("link").last();
  await expect(last).toBeFocused();
  const name = await last.innerText();
  await explorer.keyboard.press("Enter");
  await expect(jobs.job).toContainText(name);
  await expect(jobs.list.getByRole("link", { name })).toBeVisible();
  await jobs.backToAll();
  await expect(jobs.list.getByRole("link", { name })).toBeInViewport();
});

test("what is typed into the search leaves only what matches, in the table as in the list", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.search.fill("NKR");
  await jobs.expectFound("1 job found");
  await explorer.keyboard.press("ArrowDown");
  await expect(jobs.list.getByRole("link")).toBeFocused();
  await explorer.keyboard.press("Enter");
  await expect(jobs.job).toBeVisible();
  await expect(jobs.search).toHaveValue("NKR");
});
