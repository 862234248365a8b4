import { readFileSync } from "node:fs";
import { expect, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("in a browser an answer is downloaded, and a list of parts is read from a file", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("JSON");
  const [download] = await Promise.all([
    explorer.waitForEvent("download"),
    explorer.getByRole("button", { name: "Save the response as a file" }).click(),
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
