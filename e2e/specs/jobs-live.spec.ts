import { expect, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("new jobs, changes and a deletion appear in place, without disturbing the open job or drafts", async ({
  explorer,
  service,
}) => {
  const partner = new PartnerJobs(service.ready);
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.expectFirst("J-20420");
  await partner.insert("live:1", { job_number: "LIVE-1" });
  await expect(jobs.list.getByRole("link").first()).toContainText("LIVE-1");
  await expect(explorer.getByRole("heading", { level: 1 })).toContainText("47");
  await partner.update("live:1", { claim_number: "CLM-LIVE" });
  await expect(jobs.row("LIVE-1")).toContainText("CLM-LIVE");

  await jobs.open("LIVE-1");
  await jobs.pasteParts(["2 x Bonnet"]);
  await partner.update("live:1", { claim_number: "CLM-OPEN" });
  for (const number of [1, 2]) await partner.insert(`more:${number}`);
  await expect(jobs.job.getByText("CLM-OPEN")).toBeVisible();
  await expect(jobs.job.getByRole("textbox", { name: "One part per line" })).toHaveValue("2 x Bonnet");
  await expect(jobs.job.getByRole("tab", { name: /^Parts/ })).toHaveAttribute("aria-selected", "true");

  // A deleted job closes its form and says that nothing was sent.
  await jobs.openEdit();
  await jobs.fillForm({ claim: "TOO-LATE" });
  await partner.delete("live:1");
  await expect(explorer.getByText("LIVE-1 was deleted")).toBeVisible();
  await expect(explorer.getByText("Your changes were not sent.")).toBeVisible();
  await expect(jobs.form).toBeHidden();
});
