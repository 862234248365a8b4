import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FaultsPage } from "../pages/faults-page.ts";
import { FramePage } from "../pages/frame-page.ts";
import { RequestsPage } from "../pages/requests-page.ts";
import { WorldsPage } from "../pages/worlds-page.ts";

test("a fault, custom or ready-made, shows its effect and its hits, and can be cleared", async ({
  explorer,
  service,
}) => {
  const program = new ControlProgram(service.ready);
  const frame = new FramePage(explorer);
  const faults = new FaultsPage(explorer);
  await new WorldsPage(explorer).goto();
  await explorer.getByRole("link", { name: "Faults", exact: true }).click();
  await faults.seen();
  await expect(explorer.getByText("No active faults")).toBeVisible();
  await expectAccessible(explorer);
  await explorer.keyboard.press("f");
  const operation = faults.form.getByRole("combobox", { name: "Operation" });
  await expect(operation).toBeFocused();
  await operation.fill("jobs.insert");
  await expect(explorer.getByRole("option")).toHaveCount(1);
  await operation.press("Enter");
  await expect(operation).toHaveValue("Insert job · repairer.jobs.insert");
  await operation.fill("no such operation");
  await operation.press("Enter");
  await expect(faults.form).toBeVisible();
  await operation.press("Escape");
  await faults.choose("Effect", "Drop the connection");
  await faults.form.getByRole("radio", { name: "after the call" }).check();
  const effect = faults.form.getByText(/repairer\.jobs\.insert gets no response/);
  const sentence = await effect.innerText();
  await faults.form.getByRole("textbox", { name: "Expires after" }).fill("soon");
  await expect(faults.form.getByRole("button", { name: "Arm fault" })).toBeDisabled();
  await faults.form.getByRole("textbox", { name: "Expires after" }).fill("10 min");
  await expectAccessible(explorer);
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await expect(faults.form).toBeHidden();
  await expect(faults.armed).toContainText(sentence);
  const banner = frame.banner("Active faults");
  await frame.goTo("Jobs");
  await banner.getByRole("link", { name: "Faults" }).click();
  await faults.seen();
  await faults.armed.getByRole("button", { name: /^Clear/ }).click();
  await expect(faults.armed).toHaveCount(0);
  await expect(banner).toHaveCount(0);
  await expect(explorer.getByRole("heading", { level: 2, name: "Faults" })).toBeFocused();

  // One click arms a ready-made fault, which links to its calls.
  await faults.armReadyMade("The install fails once");
  await expect(faults.armed).toContainText("1 call left");
  await program.arm("repairer.jobs.insert", { error: { code: "unavailable", status: 503 } }, 2);
  await expect(faults.armed).toHaveCount(2);
  await expect(program.insertJob("default", "MET-1")).rejects.toThrow("503");
  await expect(faults.armed.first()).toContainText("1 hit, 1 call left");
  await expect(program.insertJob("default", "MET-2")).rejects.toThrow("503");
  await expect(faults.over.filter({ hasText: "used up" })).toHaveCount(1);
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);
  await faults.over.getByRole("link", { name: "2 hits" }).click();
  await expect(new RequestsPage(explorer).rows("Insert job", "503")).toHaveCount(2);
});
