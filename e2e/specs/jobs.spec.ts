import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("a job is inserted, given parts by hand and by list, and its basket fills by itself", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.createJob({ external: "estimate:e2e-1", number: "E2E-1", plate: "NKR111" });
  await jobs.addPart({ description: "Bonnet", quantity: 1, note: "scratched" });
  await jobs.addParts(["2 x Front bumper cover", "Retaining clip set; M6"]);
  await jobs.expectTabCount("Parts", 3);
  await jobs.show("Basket");
  await jobs.chooseCheapest();
  await jobs.expectChosen(3, 3);
  await jobs.clearChoice();
  await jobs.expectChosen(0, 3);
});

test("a refused job stays in its form, with the service's words at the field it names", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.openNewJob();
  await jobs.fillForm({ external: "estimate:e2e-2", site: "Tarn & Rowe, Penrose", number: "J-20418" });
  await jobs.submitForm();
  await jobs.expectRefusedAt("job_number", "is taken at site");
  await expectAccessible(explorer);
});

test("a part whose quantity is no u8 is refused as a bare string, with the reason beside it", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.pasteParts(["300 x Bonnet"]);
  await jobs.sendPartsAllTheSame();
  await jobs.expectPartsRefused("unprocessable", "/parts/0/quantity");
  await jobs.expectTabCount("Parts", 8);
});

test("a job is found by its plate, and what is not there is told apart from nothing at all", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("NKR482");
  await jobs.search.fill("no such plate");
  await expect(explorer.getByText(/No job matches/)).toBeVisible();
});
