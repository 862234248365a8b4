import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, test } from "../fixtures/explorer.ts";
import { PartnerJobs } from "../fixtures/partner-jobs.ts";
import { ConsolePage } from "../pages/console-page.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test.use({ ownService: true });

test("two windows with different worlds don't affect each other", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  for (const world of ["default", "qa"])
    await new PartnerJobs(service.ready, world).insert("both:1", { job_number: "BOTH-1" });
  const other = await explorer.context().newPage();
  await other.goto(`${service.ready.base_url}/jobs?world=qa${new URL(service.ready.explorer_url).hash}`);
  const [jobs, jobsOfQa] = [new JobsPage(explorer), new JobsPage(other)];
  await jobs.goto();
  await expect(jobs.row("BOTH-1")).toBeVisible();
  await expect(jobsOfQa.row("BOTH-1")).toBeVisible();

  await jobsOfQa.createJob({ external: "estimate:qa-only", number: "QA-ONLY" });
  await jobs.createJob({ external: "estimate:default-only", number: "DEFAULT-ONLY" });
  await jobs.backToAll();
  await jobsOfQa.backToAll();
  await expect(jobs.row("DEFAULT-ONLY")).toBeVisible();
  await expect(jobsOfQa.row("QA-ONLY")).toBeVisible();
  await expect(jobs.row("QA-ONLY")).toHaveCount(0);
  await expect(jobsOfQa.row("DEFAULT-ONLY")).toHaveCount(0);

  await test.step("the Console of one window resets only its own world, after confirmation", async () => {
    const console = new ConsolePage(other);
    await console.goto();
    await console.search("worlds.reset");
    await console.open("worlds.reset");
    await expect.poll(() => console.body()).toEqual({ world: "qa" });
    await console.send();
    await other
      .getByRole("dialog", { name: /worlds\.reset.*\bqa\b/ })
      .getByRole("button", { name: "Send call" })
      .click();
    await console.expectAnswer(200);
    await jobsOfQa.goto();
    await expect(jobsOfQa.row("J-20418")).toBeVisible();
    await expect(jobsOfQa.row("QA-ONLY")).toHaveCount(0);
    await expect(jobs.row("DEFAULT-ONLY")).toBeVisible();
    await expect(jobs.row("BOTH-1")).toBeVisible();
  });

  await test.step("a deleted world affects only its own window", async () => {
    await program.delete("qa");
    await expect(other.getByRole("heading", { name: /\bqa not found/ })).toBeVisible();
    await new FramePage(explorer).expectConnection("Live");
    await new PartnerJobs(service.ready, "default").insert("after:1", { job_number: "AFTER-1" });
    await expect(jobs.row("AFTER-1")).toBeVisible();
    expect(await program.worlds()).not.toContain("qa");
  });
});
