import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("offers are compared, chosen by price or condition, and ordered; ordering again shows a warning", async ({
  explorer,
}) => {
  await explorer.setViewportSize({ width: 1280, height: 800 });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.chooseCheapest();
  await jobs.expectChosen(8, 8);
  expect(await jobs.partsInSight()).toBe(8);
  await expect(jobs.offer("Front bumper cover", "Meridian Genuine Parts")).not.toBeChecked();
  await jobs.chooseBestCondition();
  await jobs.expectChosen(8, 8);
  await jobs.clearChoice();
  await jobs.choose("Front bumper cover", "Halfmoon Dismantlers");
  await expect(jobs.placing).toContainText("existing damage");
  await expect(jobs.placing).toContainText("Halfmoon Dismantlers");
  await expectAccessible(explorer);
  await jobs.placeOrders();
  await jobs.choose("Front bumper cover", "Meridian Genuine Parts");
  await expect(jobs.placing).toContainText("1 chosen offer");
});

test("the basket works by keyboard: navigate, choose, preview the request, order", async ({ explorer }) => {
  await explorer.setViewportSize({ width: 1024, height: 700 });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await explorer.keyboard.press("3");
  await jobs.offer("Front bumper cover", "Meridian Genuine Parts").focus();
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"]) {
    await explorer.keyboard.press(key);
    await jobs.expectFocusedOfferInSight();
  }
  await jobs.offer("Headlamp, right, LED", "Meridian Genuine Parts").focus();
  await explorer.keyboard.press("Space");
  await expect(jobs.offer("Headlamp, right, LED", "Meridian Genuine Parts")).toBeChecked();
  const preview = await jobs.previewPlacing();
  await expect(preview).toContainText("repairer.procurements.place");
  await explorer.keyboard.press("Escape");
  await expect(preview).toBeHidden();
  await explorer.keyboard.press("Control+Enter");
  await expect(jobs.job.getByRole("table", { name: /^Orders/ })).toBeVisible();
  await jobs.expectTabCount("Orders", 1);
});
