import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("a job is inserted, gets parts from a list and fills its basket; a refused one stays in its form", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.createJob({ external: "estimate:e2e-1", number: "E2E-1", plate: "NKR111" });
  await jobs.addParts(["Bonnet; scratched", "2 x Front bumper cover", "Headlamp, right, LED; clear"]);
  await jobs.expectTabCount("Parts", 3);
  await jobs.show("Basket");
  await jobs.chooseCheapest();
  await jobs.expectChosen(3, 3);
  await jobs.clearChoice();
  await jobs.expectChosen(0, 3);
  await jobs.openNewJob();
  await jobs.fillForm({ external: "estimate:e2e-2", site: "Tarn & Rowe, Penrose", number: "J-20418" });
  await jobs.submitForm();
  await jobs.expectRefusedAt("job_number");
});

test("state, site, insurer and insertion time filter the list, also beside an open job", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.narrowTo("no parts");
  await jobs.expectFound("5 jobs found");
  await jobs.narrowTo("Tarn & Rowe, Penrose");
  await jobs.expectFound("2 jobs found");
  await jobs.narrowTo("Pembry Motor");
  await jobs.expectFound("1 job found");
  await expectAccessible(explorer);
  await jobs.row("J-20419").click();
  await jobs.show("Parts");
  await jobs.expectFound("1 job found");
  await expect(explorer).toHaveURL(/\/parts\?.*state=no_parts/);
  await explorer.reload();
  await expect(jobs.row("J-20419")).toBeVisible();
  await expect(jobs.list.getByRole("link")).toHaveCount(1);
  await jobs.widen("Tarn & Rowe, Penrose");
  await jobs.narrowTo("estimated");
  await jobs.search.fill("nowhere");
  await expect(explorer.getByText(/^No job matches “nowhere”/)).toBeVisible();
  await explorer.getByRole("button", { name: "Clear filter" }).click();
  await expect(explorer.locator(":focus")).toHaveCount(1);
  await expect(jobs.row("J-20418")).toBeVisible();
  await expect(explorer).not.toHaveURL(/[?]/);

  // By insertion time: a span, or between two times.
  await jobs.createJob({ external: "estimate:inserted", number: "INS-1" });
  // A notice above the bar doesn't block the controls beneath.
  const notice = explorer.getByRole("alert").first();
  await expect(notice).toBeVisible();
  expect(await notice.evaluate(isHit), "the notice takes no click").toBe(false);
  await jobs.backToAll();
  await jobs.narrowTo("the last hour");
  await expect(jobs.row("INS-1")).toBeVisible();
  await expect(explorer).toHaveURL(/[?&]inserted=\d{4}-/);

  await jobs.narrowToInserted("2019-01-01T00:00", "2019-12-31T10:00");
  await expect(jobs.row("INS-1")).toBeHidden();
  await expect(explorer.getByText(/^No job .*1 Jan 2019 00:00.*31 Dec 2019 10:00/)).toBeVisible();
  await expectAccessible(explorer);
  await jobs.narrowToInserted("2019-01-01T00:00", "");
  await expect(jobs.row("INS-1")).toBeVisible();
  await explorer.getByRole("button", { name: /^Show all times/ }).click();
  await expect(explorer).not.toHaveURL(/[?]/);
});

test("a job's trace shows its changes, and partners' reads on request", async ({ explorer, service }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  // Reading the JSON records no call.
  await jobs.show("JSON");
  await expect(jobs.job.getByRole("region", { name: "response, JSON" })).toContainText("estimate:88213");
  await jobs.show("Trace");
  await expect(jobs.job.getByText(/seed data/)).toBeVisible();
  await new PartnerJobs(service.ready).get("estimate:88213");
  await expect(jobs.job.getByText(/only read/)).toBeVisible();
  await jobs.job.getByRole("radio", { name: "With reads" }).click();
  await expect(jobs.traces.filter({ hasText: "repairer.jobs.get" })).toHaveCount(1);
});

test("a long job number and plate keep the job's buttons visible in every window", async ({ explorer, service }) => {
  const number = `J-${"20418-repairer-supplement-".repeat(3)}`.slice(0, 75);
  const plate = "NKR482".repeat(30);
  const vehicle = { chassis_number: plate, plate_number: plate, plate_state: null };
  await new PartnerJobs(service.ready).insert("estimate:long", { job_number: number, vehicle });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open(number);
  // The last size is 1280×800 at 200 %.
  for (const [width, height] of [
    [1280, 800],
    [640, 400],
  ] as const) {
    await explorer.setViewportSize({ width, height });
    await expect(jobs.job.getByRole("button", { name: /^Edit/ })).toBeInViewport({ ratio: 1 });
    await expect(jobs.job.getByRole("button", { name: "Delete job" })).toBeInViewport({ ratio: 1 });
    await expect(jobs.job.getByRole("heading", { name: number })).toHaveAttribute("title", number);
    await expect(jobs.job.getByTitle(plate).first()).toBeInViewport({ ratio: 1 });
  }
});

/** Returns whether a click at an element's middle reaches it or its container. Runs in the page. */
function isHit(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  return hit?.closest("[data-position]")?.contains(element) ?? false;
}
