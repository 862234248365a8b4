import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/explorer.ts";
import { ImportDialog } from "../pages/import-dialog.ts";
import { JobPictures, picture } from "../pages/job-pictures.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";

test("in a browser, responses download and a parts list is read from a file", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("JSON");
  const [download] = await Promise.all([
    explorer.waitForEvent("download"),
    explorer.getByRole("button", { name: /^Save the response/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("job-J-20418.json");
  expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toMatchObject({ job_number: "J-20418" });

  await jobs.show("Parts");
  await explorer
    .getByRole("button", { name: /^Add parts/ })
    .first()
    .click();
  const [chooser] = await Promise.all([
    explorer.waitForEvent("filechooser"),
    explorer.getByRole("button", { name: "open a file" }).click(),
  ]);
  await chooser.setFiles({ name: "parts.csv", mimeType: "text/csv", buffer: Buffer.from("2 x Stoßstange\nBonnet") });
  await expect(explorer.getByRole("textbox", { name: "One part per line" })).toHaveValue("2 x Stoßstange\nBonnet");
});

test("a dropped scenario, reproduction or HAR opens anywhere, even on a job’s pictures", async ({ explorer }) => {
  const [jobs, notices, imported] = [new JobsPage(explorer), new NoticesPage(explorer), new ImportDialog(explorer)];
  const steps = [{ call: { operation: "businesses.list", as: "repairer" }, expect: { status: 200 } }];
  const scenario = JSON.stringify({ scenario: 1, name: "Dropped here", steps });
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Overview");
  const pictures = new JobPictures(explorer, jobs.job);
  await pictures.drop({ name: "Dropped.reproduction", type: "", bytes: Buffer.from(scenario) });
  await expect(explorer.getByRole("article", { name: "Dropped here" })).toBeVisible();
  await expect(explorer).toHaveURL(/\/scenarios\/dropped$/);

  await test.step("a second drop of the same file doesn't duplicate it", async () => {
    await jobs.goto();
    await drop(explorer, "Dropped.json", scenario);
    await expect(explorer).toHaveURL(/\/scenarios\/dropped$/);
    await expect(explorer.getByRole("link", { name: /Dropped here/ })).toHaveCount(1);
  });

  await test.step("a dropped HAR opens in the Console's import, even if one is open", async () => {
    await drop(explorer, "calls.har", har("businesses.list"));
    await expect(imported.read).toContainText("HAR: 1 call");
    await expect(imported.dialog).toContainText("businesses.list");
    await drop(explorer, "others.har", har("repairer.jobs.get"));
    await expect(imported.dialog).toContainText("repairer.jobs.get");
  });

  await test.step("any other file leaves the page unchanged and says why", async () => {
    await explorer.keyboard.press("Escape");
    await drop(explorer, "broken.json", "{");
    await expect(notices.toast("Open broken.json")).toBeVisible();
    await drop(explorer, "notes.txt", "notes");
    await expect(notices.toast("HAR")).toBeVisible();
    await jobs.goto();
    await jobs.open("J-20418");
    await jobs.show("Overview");
    await pictures.drop(picture("dent.png"));
    await expect(pictures.tiles.filter({ hasText: "dent.png" })).toBeVisible();
  });
});

const har = (operation: string): string =>
  JSON.stringify({
    log: {
      entries: [
        {
          request: {
            method: "POST",
            url: `http://127.0.0.1/api/2026-01/${operation}`,
            headers: [],
            postData: { text: "{}" },
          },
        },
      ],
    },
  });

/** Drops a file on the middle of the page. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.content], file.name));
      return transfer;
    },
    { name, content },
  );
  for (const event of ["dragenter", "dragover", "drop"])
    await page.locator("#place").dispatchEvent(event, { dataTransfer });
}
