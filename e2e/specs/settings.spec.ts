import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { SettingsPage } from "../pages/settings-page.ts";

test("every setting is listed, with when a change takes effect", async ({ explorer }) => {
  const [settings, frame] = [new SettingsPage(explorer), new FramePage(explorer)];
  await settings.goto();
  await expect(settings.setting("Port")).toContainText("Set with --port");
  await expect(settings.setting("Data folder")).toContainText("on disk");
  await expect(settings.startedWith("Idle reset")).toContainText("60 min");
  await expect(settings.setting("Log")).toContainText("listening");
  for (const [width, height] of [
    [1280, 800],
    [640, 400],
  ] as const) {
    await explorer.setViewportSize({ width, height });
    await frame.expectNoScroll();
    const wider = await settings.body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(wider).toBeLessThanOrEqual(0);
  }

  await frame.run("retention", /^Retention ?Settings/);
  await expect(explorer).toHaveURL(/\/settings\/retention(\?|$)/);
  await expect(settings.setting("Retention").getByRole("heading")).toBeFocused();
  await expect(settings.setting("Retention")).toBeInViewport();
});

test("settings apply immediately, survive a reload, and are refused outside their bounds", async ({ explorer }) => {
  const [settings, jobs, notices] = [new SettingsPage(explorer), new JobsPage(explorer), new NoticesPage(explorer)];
  const row = jobs.list.getByRole("row").nth(1);
  const heightOfRow = async () => (await row.boundingBox())?.height;
  await jobs.goto();
  const comfortable = await heightOfRow();
  await settings.goto();
  await settings.choose("Theme", "Dark");
  await expect(explorer.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await settings.choose("Density", "Compact");
  const retention = settings.setting("Retention");
  await retention.getByRole("spinbutton", { name: "Hours" }).fill("0");
  await expect(retention.getByRole("spinbutton", { name: "Hours" })).toHaveAttribute("aria-invalid", "true");
  await expect(retention.getByRole("button", { name: "Save retention" })).toBeDisabled();
  await retention.getByRole("spinbutton", { name: "Hours" }).fill("24");
  await explorer.keyboard.press("Enter");
  await expect(notices.toast("1 d and 256 MiB")).toBeVisible();
  await settings.choose("Retry schedule", "Fast (within seconds)");
  await expect(notices.toast("Fast (within seconds)")).toBeVisible();
  await jobs.goto();
  expect([comfortable, await heightOfRow()]).toEqual([32, 26]);
  await explorer.reload();
  await expect(row).toBeVisible();
  expect(await heightOfRow()).toBe(26);
  await settings.goto();
  await expect(retention.getByRole("spinbutton", { name: "Hours" })).toHaveValue("24");
  await expect(settings.setting("Retry schedule").getByRole("radio", { name: /within seconds/ })).toBeChecked();
});

test("erasing deletes everything", async ({ explorer, service }) => {
  const program = new ControlProgram(service.ready);
  const settings = new SettingsPage(explorer);
  await program.insertJob("qa", "ALL-2");
  await settings.goto();
  await explorer.evaluate(() => {
    localStorage.setItem("explorer.unsent.job", '"a draft"');
    sessionStorage.setItem("explorer.draft.job", '"a draft"');
  });
  await settings.setting("Erase everything").getByRole("button").click();
  await expect(settings.dialog).toContainText("2 worlds");
  await expectAccessible(explorer);
  const erase = settings.dialog.getByRole("button", { name: "Erase everything" });
  await settings.dialog.getByRole("textbox").fill("erase");
  await expect(erase).toBeDisabled();
  await settings.dialog.getByRole("textbox").fill("erase everything");
  await erase.click();
  await expect(explorer.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  expect(await program.worlds()).toEqual(["default"]);
  const kept = () =>
    explorer.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).includes("a draft"));
  expect(await kept()).toBe(false);
  await expect(explorer.locator("[data-count]").first()).toBeVisible();
  await expect(explorer.getByText(/Couldn’t load/)).toHaveCount(0);
});
