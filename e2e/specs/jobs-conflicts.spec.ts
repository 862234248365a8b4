import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { WorldSwitches } from "../fixtures/world-switches.ts";
import { JobsPage } from "../pages/jobs-page.ts";

const TAKEN = "estimate:88213";

test("an identity that is taken is refused without if_, and what was typed becomes an update of that job", async ({
  explorer,
  service,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.openNewJob();
  await jobs.fillForm({ external: TAKEN, claim: "TYPED-1" });
  await jobs.submitForm();
  await jobs.expectRefusedAt("identity, external", "which exists already; send if_");
  await expectAccessible(explorer);

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
  // It went over to the change: the next new job begins empty.
  await jobs.openNewJob();
  await expect(jobs.form.getByRole("textbox", { name: "claim_number" })).toHaveValue("");
});

test("the job that has an identity can be opened instead", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.openNewJob();
  await jobs.fillForm({ external: TAKEN });
  await jobs.submitForm();
  await jobs.form.getByRole("link", { name: "Open that job" }).click();
  await expect(jobs.form).toBeHidden();
  await expect(jobs.job).toHaveAccessibleName("Job J-20418");
});

test("where the world reads a missing if_ as update, the same insert changes the job", async ({
  explorer,
  service,
}) => {
  await new WorldSwitches(service.ready).set({ jobs_insert_conflict: "update" });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.openNewJob();
  await jobs.fillForm({ external: TAKEN, claim: "BY-SWITCH" });
  await expect(jobs.form.getByText(/this world updates that job/)).toBeVisible();
  await jobs.submitForm();
  await expect(jobs.form).toBeHidden();
  await expect(jobs.job).toHaveAccessibleName("Job J-20418");
  const { claim_number, images } = await new PartnerJobs(service.ready).get(TAKEN);
  expect([claim_number, images.length]).toEqual(["BY-SWITCH", 4]);
});

test("exists: replace empties what the body leaves out, and keeps identity and parts", async ({
  explorer,
  service,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.openEdit();
  await jobs.ifExists("replace");
  for (const key of ["claim_number", "work_provider_id", "vehicle", "images"]) await jobs.sendKey(key, false);
  await jobs.submitForm();
  await expect(jobs.form).toBeHidden();
  const { claim_number, work_provider_id, vehicle, images, external_id } = await new PartnerJobs(service.ready).get(
    TAKEN,
  );
  expect({ claim_number, work_provider_id, vehicle, images, external_id }).toEqual({
    claim_number: null,
    work_provider_id: null,
    vehicle: null,
    images: [],
    external_id: TAKEN,
  });
  await jobs.expectTabCount("Parts", 8);
});

test("a change to a job number that is taken is refused at its field", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20419");
  await jobs.openEdit();
  await jobs.fillForm({ number: "J-20418" });
  await jobs.submitForm();
  await jobs.expectRefusedAt("job_number", "is taken at site");
  await expect(jobs.form.getByRole("textbox", { name: "job_number" })).toBeFocused();
  await jobs.form.getByRole("link", { name: "Open that job" }).click();
  await expect(jobs.job).toHaveAccessibleName("Job J-20418");
});

test("another repairer's site is refused at its field", async ({ explorer }) => {
  const theirs = "00000000-0000-4000-8000-000000000001";
  // The form offers the caller's own sites only: a program that does not is what this stands for.
  await explorer.route("**/repairer.jobs.insert", async (route) => {
    const body = { ...route.request().postDataJSON(), repairer_site_id: theirs };
    await route.continue({ postData: JSON.stringify(body) });
  });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.openNewJob();
  await jobs.fillForm({ external: "estimate:their-site" });
  await jobs.submitForm();
  await jobs.expectRefusedAt("repairer_site_id", "is not a repairer_site of your organization");
});

test("a job that is deleted while it is being changed says so, and that nothing was sent", async ({
  explorer,
  service,
}) => {
  const partner = new PartnerJobs(service.ready);
  await partner.insert("estimate:gone", { job_number: "GONE-1" });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("GONE-1");
  await jobs.openEdit();
  await jobs.fillForm({ claim: "TOO-LATE" });
  await partner.delete("estimate:gone");
  await expect(explorer.getByText("GONE-1 was deleted")).toBeVisible();
  await expect(explorer.getByText(/unsent changes were discarded/)).toBeVisible();
  await expect(jobs.form).toBeHidden();
});

test("Ctrl and Enter send from every field, also from one with a list of its own", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.openEdit();
  await expect(jobs.form.getByRole("textbox", { name: "job_number" })).toBeFocused();
  await jobs.fillForm({ claim: "BY-KEYS" });
  await jobs.form.getByRole("combobox", { name: "repairer_site_id" }).focus();
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await expect(jobs.form).toBeHidden();
  await expect(explorer.getByRole("option")).toHaveCount(0);
  await expect(jobs.job.getByText("BY-KEYS").first()).toBeVisible();
});
