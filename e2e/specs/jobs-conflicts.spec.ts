import { expect, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { JobsPage } from "../pages/jobs-page.ts";

const TAKEN = "estimate:88213";

test("a taken identity is refused without if_, and the draft becomes an update of that job", async ({
  explorer,
  service,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.openNewJob();
  await jobs.fillForm({ external: TAKEN, claim: "TYPED-1" });
  await jobs.submitForm();
  await jobs.expectRefusedAt("identity, external");

  await jobs.updateThatJob();
  await expect(jobs.form).toHaveAccessibleName("Edit J-20418");
  await expect(jobs.form.getByRole("textbox", { name: "claim_number" })).toHaveValue("TYPED-1");
  await expect(jobs.form.getByRole("textbox", { name: "job_number" })).toHaveValue("J-20418");
  await jobs.expectOutcome("claim_number", { update: "TYPED-1written", replace: "TYPED-1written" });
  await jobs.expectOutcome("images", { update: "4 pictureskept", replace: "noneemptied" });
  await jobs.submitForm();
  await expect(jobs.form).toBeHidden();
  const { claim_number, job_number } = await new PartnerJobs(service.ready).get(TAKEN);
  expect({ claim_number, job_number }).toEqual({ claim_number: "TYPED-1", job_number: "J-20418" });
  // The draft moved to the update, so the next new job is empty.
  await jobs.openNewJob();
  await expect(jobs.form.getByRole("textbox", { name: "claim_number" })).toHaveValue("");
});
