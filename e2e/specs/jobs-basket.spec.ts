import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { JobsPage } from "../pages/jobs-page.ts";

test("offers are chosen cheapest, in the best condition and from one supplier, with their totals", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.chooseAllOf("Meridian Genuine Parts");
  await jobs.expectChosen(8, 8);
  await jobs.expectWillPlace(1, 2);
  await jobs.chooseCheapest();
  await jobs.expectChosen(8, 8);
  await expect(jobs.offer("Front bumper cover", "Meridian Genuine Parts")).not.toBeChecked();
  await jobs.chooseBestCondition();
  await jobs.expectChosen(8, 8);
  await expectAccessible(explorer);

  await jobs.clearChoice();
  await jobs.expectConfirmable("Meridian Genuine Parts", true);
  await jobs.choose("Front bumper cover", "Halfmoon Dismantlers");
  await expect(
    jobs.job.getByText(/You can’t confirm these orders here, because you have no key for Halfmoon/),
  ).toBeVisible();
});

test("the basket is worked with keys alone: walk, choose, look at the request, place", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await explorer.keyboard.press("3");
  await expect(jobs.offer("Front bumper cover", "Meridian Genuine Parts")).toBeFocused();
  await explorer.keyboard.press("ArrowDown");
  await explorer.keyboard.press("Space");
  await expect(jobs.offer("Headlamp, right, LED", "Meridian Genuine Parts")).toBeChecked();
  // On from the offer: what it is, then the buttons that place it.
  await explorer.keyboard.press("Tab");
  await expect(jobs.job.getByRole("button", { name: /^Copy sellable ID/ })).toBeFocused();
  await explorer.keyboard.press("Tab");
  await expect(jobs.job.getByRole("link", { name: "add a subscription first" })).toBeFocused();
  await explorer.keyboard.press("Tab");
  await expect(jobs.job.getByRole("button", { name: "Preview" })).toBeFocused();
  const preview = await jobs.previewPlacing();
  await expect(preview).toContainText("repairer.procurements.place");
  await explorer.keyboard.press("Escape");
  await expect(preview).toBeHidden();
  await explorer.keyboard.press("Control+Enter");
  await expect(jobs.placed).toBeVisible();
  await jobs.expectTabCount("Orders", 1);
});

test("a basket of eight parts is in sight as a whole, and in a small window the offer that has the focus", async ({
  explorer,
}) => {
  await explorer.setViewportSize({ width: 1280, height: 800 });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.chooseAllOf("Meridian Genuine Parts");
  expect(await jobs.partsInSight()).toBe(8);
  await jobs.offer("Front bumper cover", "Halfmoon Dismantlers").hover();
  await expect(jobs.placing).toContainText("existing damage smaller than two credit cards");
  await expect(jobs.placing).toContainText("Creates 1 order");
  expect(await jobs.partsInSight()).toBe(8);
  await expect(jobs.placing.getByRole("button", { name: /^Place 1 order/ })).toBeInViewport({ ratio: 1 });

  await explorer.setViewportSize({ width: 1024, height: 700 });
  await jobs.offer("Front bumper cover", "Meridian Genuine Parts").focus();
  for (const key of ["ArrowRight", "End", "Home", "ArrowDown", "ArrowDown", "End", "ArrowUp", "Home"]) {
    await explorer.keyboard.press(key);
    await jobs.expectFocusedOfferInSight();
  }
});

test("when every part is ordered the basket says so, names its orders, and offers no choice until asked", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.chooseAllOf("Meridian Genuine Parts");
  const [reference = ""] = await jobs.placeOrders();
  await expect(jobs.basket.getByText("All 8 parts are ordered")).toBeVisible();
  await expect(jobs.job.getByRole("button", { name: /^Place/ })).toHaveCount(0);
  await jobs.placed.getByRole("button", { name: "Close" }).focus();
  await explorer.keyboard.press("Enter");
  await expect(jobs.placed).toBeHidden();
  expect(await explorer.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  await expect(jobs.ordered).toContainText("All 8 parts are ordered");
  await expect(jobs.ordered.getByRole("link", { name: reference })).toBeVisible();
  await expectAccessible(explorer);

  const offer = jobs.offer("Front bumper cover", "Halfmoon Dismantlers");
  await expect(offer).toBeDisabled();
  await expect(offer).toHaveAccessibleDescription(/already ordered/);
  await expect(jobs.offer("Bonnet", "Meridian Genuine Parts")).toHaveAccessibleDescription(
    new RegExp(`ordered with ${reference}`),
  );
  await offer.click({ force: true });
  await expect(offer).not.toBeChecked();
  await jobs.orderAgain();
  await offer.click();
  await expect(offer).toBeChecked();
  await expect(jobs.job.getByText(/1 chosen offer is for parts that are already ordered/)).toBeVisible();
});
