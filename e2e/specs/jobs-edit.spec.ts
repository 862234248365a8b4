import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

const claim = (jobs: JobsPage) => jobs.form.getByRole("textbox", { name: "claim_number" });

test("a closed form keeps its draft, even over a reload, until it is discarded or sent", async ({
  explorer,
  service,
}) => {
  const program = new ControlProgram(service.ready);
  const [jobs, notices] = [new JobsPage(explorer), new NoticesPage(explorer)];
  const edit = jobs.job.getByRole("button", { name: /^Edit/ });
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.openEdit();
  await jobs.leaveForm();
  await expect(jobs.form).toBeHidden();
  await expect(edit).not.toHaveAccessibleName(/unsent/);

  await jobs.openEdit();
  await jobs.fillForm({ claim: "KEPT-1" });
  await jobs.leaveForm();
  await expect(jobs.form).toBeHidden();
  await expect(edit).toHaveAccessibleName(/^Edit \(unsent\)/);
  await expect(edit).toBeFocused();

  await jobs.openEdit();
  await expect(claim(jobs)).toHaveValue("KEPT-1");
  await expectAccessible(explorer);
  await jobs.ifExists("replace");
  await explorer.reload();
  await expect(claim(jobs)).toHaveValue("KEPT-1");
  await expect(jobs.form.getByRole("radio", { name: /^replace/ })).toBeChecked();
  await expect(jobs.form.getByText("Draft restored.")).toBeVisible();
  await jobs.form.getByRole("button", { name: "Start over" }).click();
  await expect(claim(jobs)).toHaveValue("LRM-7730452");
  await jobs.form.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(jobs.form).toBeHidden();
  await expect(edit).not.toHaveAccessibleName(/unsent/);

  // A form closed while sending clears its draft on success, and reports a refusal.
  const goesOn = jobs.form.getByText("Draft restored.");
  const slow = () => program.arm("repairer.jobs.insert", { delay: { ms: 1500 } }, 1);
  await slow();
  await jobs.openEdit();
  await jobs.fillForm({ claim: "SENT-1" });
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await jobs.leaveForm();
  await expect(jobs.form).toBeHidden();
  await expect(notices.toast("J-20418 updated")).toBeVisible();
  await expect(edit).not.toHaveAccessibleName(/unsent/);
  await jobs.openEdit();
  await expect(claim(jobs)).toHaveValue("SENT-1");
  await expect(goesOn).toBeHidden();

  await slow();
  await jobs.fillForm({ claim: "REFUSED-1" });
  await jobs.ifExists("omit if_");
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await jobs.leaveForm();
  await expect(jobs.form).toBeHidden();
  await notices.toast("Update job: 422").getByRole("link", { name: "Open form" }).click();
  await expect(claim(jobs)).toHaveValue("REFUSED-1");
  await expect(goesOn).toBeVisible();
  await jobs.leaveForm();
  await expect(jobs.form).toBeHidden();
});

test("a response after switching worlds names the job's world and links to it", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  const [jobs, notices, worlds] = [new JobsPage(explorer), new NoticesPage(explorer), new WorldsMenu(explorer)];
  await worlds.create("qa");
  await worlds.switchTo("default");
  await jobs.goto();
  await jobs.open("J-20418");
  await program.arm("repairer.jobs.insert", { delay: { ms: 5000 } }, 1);
  await jobs.openEdit();
  await jobs.fillForm({ claim: "LATE-1" });
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await jobs.leaveForm();
  await expect(jobs.form).toBeHidden();
  await worlds.switchTo("qa");
  const told = notices.toast("J-20418 updated");
  await expect(told).toContainText("In world default.");
  // The notice stays while it has focus.
  await told.getByRole("link", { name: "Open there" }).focus();
  await expectAccessible(explorer);
  await told.getByRole("link", { name: "Open there" }).click();
  await worlds.expectCurrent("default");
  await expect(jobs.job).toContainText("LATE-1");
});
