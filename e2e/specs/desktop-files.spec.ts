import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import type { DesktopBridge } from "../../electron/ipc/channels.ts";
import { test } from "../fixtures/desktop.ts";
import { Native } from "../fixtures/native.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";

test("saves a response to the chosen path and reads a parts list, with all bytes unchanged", async ({ desktop }) => {
  const { app, page } = await desktop.start();
  const file = path.join(desktop.newFolder(), "job.json");
  const offered = await new Native(app).saveAs(file);
  const jobs = new JobsPage(page);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("JSON");
  await page.getByRole("button", { name: /^Save the response/ }).click();
  await expect(new NoticesPage(page).toast("Saved job.json")).toBeVisible();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ job_number: "J-20418" });
  expect(await offered.evaluate((names) => [...names])).toEqual(["job-J-20418.json"]);

  await new Native(app).openNext(path.join(desktop.newFolder(), "parts.txt"), "2 x Stoßstange\nBonnet");
  await jobs.show("Parts");
  await page
    .getByRole("button", { name: /^Add parts/ })
    .first()
    .click();
  await page.getByRole("button", { name: "open a file" }).click();
  await expect(page.getByRole("textbox", { name: "One part per line" })).toHaveValue("2 x Stoßstange\nBonnet");

  const native = new Native(app);
  const folder = desktop.newFolder();
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  await native.openNext(path.join(folder, "all.bin"), bytes);
  await native.saveAs(path.join(folder, "copy.bin"));
  const opened = await page.evaluate(async () => {
    const { desktop } = window as unknown as { desktop: DesktopBridge };
    const file = await desktop.openFile([]);
    await desktop.saveFile("copy.bin", file?.bytes ?? "");
    return { name: file?.name, bytes: [...(file?.bytes ?? [])] };
  });
  expect(opened).toEqual({ name: "all.bin", bytes: [...bytes] });
  expect([...readFileSync(path.join(folder, "copy.bin"))]).toEqual([...bytes]);

  await native.saveAs(path.join(folder, "missing", "copy.bin"));
  const refusals = await page.evaluate(() => {
    const { desktop } = window as unknown as { desktop: DesktopBridge };
    const asks = [
      desktop.saveFile("copy.bin", "x"),
      desktop.saveFile("x", { not: "text" } as unknown as string),
      desktop.openFile([{ name: "All", extensions: ["*"] }]),
    ];
    return Promise.all(
      asks.map((ask) =>
        ask.then(
          () => "not refused",
          (error: Error) => error.message,
        ),
      ),
    );
  });
  expect(refusals).toEqual([
    expect.stringContaining("copy.bin (ENOENT)"),
    expect.stringContaining("text or bytes"),
    expect.stringContaining("extensions"),
  ]);

  await native.saveAs(null);
  const declined = await page.evaluate(() => {
    const { desktop } = window as unknown as { desktop: DesktopBridge };
    return desktop.saveFile("declined.txt", "x");
  });
  expect(declined).toBeNull();
  expect(existsSync(path.join(folder, "declined.txt"))).toBe(false);
});
