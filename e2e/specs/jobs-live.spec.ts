import { expect, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("a partner's jobs flow in at the top, change in place, and are counted", async ({ explorer, service }) => {
  const partner = new PartnerJobs(service.ready);
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.expectFirst("J-20420");
  await partner.insert("live:1", { job_number: "LIVE-1" });
  await expect(jobs.list.getByRole("link").first()).toContainText("LIVE-1");
  await expect(explorer.getByRole("heading", { level: 1 })).toContainText("47");
  await partner.update("live:1", { claim_number: "CLM-LIVE" });
  await expect(jobs.row("LIVE-1")).toContainText("CLM-LIVE");
});

test("a list that is scrolled stays where it is, and new jobs wait behind a button", async ({ explorer, service }) => {
  const partner = new PartnerJobs(service.ready);
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.expectFirst("J-20420");
  const row = jobs.row("J-20395");
  await row.hover();
  await explorer.mouse.wheel(0, 160);
  await expect(jobs.row("J-20420")).not.toBeInViewport();
  const before = await row.boundingBox();
  for (const number of [1, 2, 3]) await partner.insert(`wait:${number}`, { job_number: `WAIT-${number}` });
  await expect(explorer.getByRole("button", { name: "3 new" })).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
  await jobs.showNewRows();
  await expect(jobs.row("WAIT-3")).toBeInViewport();
});

test("the open job, its tab and what is typed stay while others change it", async ({ explorer, service }) => {
  const partner = new PartnerJobs(service.ready);
  await partner.insert("open:1", { job_number: "OPEN-1" });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("OPEN-1");
  await jobs.pasteParts(["2 x Bonnet"]);
  await partner.update("open:1", { claim_number: "CLM-OPEN" });
  for (const number of [1, 2]) await partner.insert(`more:${number}`);
  await expect(jobs.job.getByText("CLM-OPEN")).toBeVisible();
  await expect(jobs.job.getByRole("textbox", { name: "One part per line" })).toHaveValue("2 x Bonnet");
  await expect(jobs.job.getByRole("tab", { name: /^Parts/ })).toHaveAttribute("aria-selected", "true");
});

test("a job's fields show before its own call has answered", async ({ explorer, service }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  // It never answers.
  await explorer.route("**/repairer.jobs.get", () => {});
  await explorer.goto(`${service.ready.base_url}/jobs/adb34513-92dc-54b1-a36a-c579b413d06f`);
  await expect(jobs.job.getByText("Chassis", { exact: true })).toBeVisible();
});

test("a job that no longer fits the filter leaves the list, and one that does comes into it", async ({
  explorer,
  service,
}) => {
  const partner = new PartnerJobs(service.ready);
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.search.fill("fits:");
  await expect(explorer.getByText(/No job matches/)).toBeVisible();
  await partner.insert("fits:1", { job_number: "FITS-1" });
  await partner.insert("other:1", { job_number: "OTHER-1" });
  await expect(jobs.row("FITS-1")).toBeVisible();
  await expect(jobs.list.getByRole("link")).toHaveCount(1);
});

test("what changes in great numbers far down the list is followed too", async ({ explorer, service }) => {
  const partner = new PartnerJobs(service.ready);
  const numbers = Array.from({ length: 130 }, (_, index) => String(index).padStart(3, "0"));
  await Promise.all(numbers.map((number) => partner.insert(`many:${number}`, { job_number: `AA-${number}` })));
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.sortByHead("Job number");
  await jobs.sortByHead("Job number");
  await jobs.expectSorted("Job number", "descending");
  await explorer.keyboard.press("j");
  await expect(async () => {
    await explorer.keyboard.press("End");
    await expect(jobs.row("AA-000")).toBeInViewport({ timeout: 500 });
  }).toPass();
  await Promise.all(numbers.slice(0, 40).map((number) => partner.delete(`many:${number}`)));
  await expect(jobs.row("AA-000")).toHaveCount(0);
  await expect(jobs.row("AA-040")).toBeVisible();
  await expect(jobs.row("AA-039")).toHaveCount(0);
});

test("a job in sight is read again when it changed, and not when another one did", async ({ explorer, service }) => {
  const partner = new PartnerJobs(service.ready);
  await partner.insert("sight:1", { job_number: "SIGHT-1" });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("SIGHT-1");
  await jobs.search.fill("");
  await jobs.expectFirst("SIGHT-1");
  await expect(jobs.row("J-20420")).toBeVisible();
  await expect(jobs.job.getByRole("table", { name: "Recent calls for this job" })).toBeVisible();
  const asked: string[] = [];
  explorer.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(new URL(request.url()).pathname);
  });
  await partner.insert("unrelated:1", { job_number: "UNRELATED-1" });
  await expect(explorer.getByRole("button", { name: "1 new" })).toBeVisible();
  await partner.update("sight:1", { claim_number: "CLM-SIGHT" });
  await expect(jobs.job.getByText("CLM-SIGHT").first()).toBeVisible();
  // One change of it, and each of its answers was asked for once; nothing else was.
  await expect.poll(() => asked.filter((path) => path.endsWith("repairer.jobs.get")).length).toBe(1);
  expect(new Set(asked).size).toBe(asked.length);
});
