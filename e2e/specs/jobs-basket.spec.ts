import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { PartnerProgram } from "../fixtures/partner-program.ts";
import { JobsPage } from "../pages/jobs-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";

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
});

test("what a condition means, and whose orders can be confirmed here, stands beside the offers", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.expectConfirmable("Meridian Genuine Parts", true);
  await jobs.expectConfirmable("Halfmoon Dismantlers", false);
  await jobs.offer("Front bumper cover", "Halfmoon Dismantlers").hover();
  await expect(jobs.job.getByText(/^grade_b existing damage smaller than two credit cards/)).toBeVisible();
  await jobs.choose("Front bumper cover", "Halfmoon Dismantlers");
  await expect(
    jobs.job.getByText(/You can’t confirm these orders here, because you have no key for Halfmoon/),
  ).toBeVisible();
  await jobs.choose("Bonnet", "Meridian Genuine Parts");
  await expect(jobs.job.getByText(/You can only confirm orders of Meridian Genuine Parts here/)).toBeVisible();
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

test("the keys that place do so in the basket, not beside it", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  const placed: string[] = [];
  explorer.on("request", (request) => {
    if (request.url().endsWith("procurements.place")) placed.push(request.method());
  });
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.choose("Bonnet", "Meridian Genuine Parts");
  await jobs.job.getByRole("heading", { level: 2 }).focus();
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await jobs.row("J-20418").getByRole("link").focus();
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await expect(jobs.job.getByRole("button", { name: /^Place 1 order/ })).toBeEnabled();
  expect(placed).toEqual([]);
  await jobs.offer("Bonnet", "Meridian Genuine Parts").focus();
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await expect(jobs.placed).toBeVisible();
  expect(placed).toEqual(["POST"]);
});

test("opening the basket by hand leads to its offers; walking along the tabs does not leave them", async ({
  explorer,
}) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  const first = jobs.offer("Front bumper cover", "Meridian Genuine Parts");
  await jobs.show("Basket");
  await expect(first).toBeFocused();
  await jobs.show("Parts");
  const parts = jobs.job.getByRole("tab", { name: /^Parts/ });
  await expect(parts).toBeFocused();
  await explorer.keyboard.press("ArrowRight");
  await expect(jobs.basket).toBeVisible();
  await expect(jobs.job.getByRole("tab", { name: /^Basket/ })).toBeFocused();
  await explorer.keyboard.press("Enter");
  await expect(first).toBeFocused();
});

test("the offer that has the focus never lies under what stands still", async ({ explorer }) => {
  await explorer.setViewportSize({ width: 1024, height: 700 });
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await expect(jobs.offer("Front bumper cover", "Meridian Genuine Parts")).toBeFocused();
  for (const key of [
    "ArrowRight",
    "End",
    "Home",
    "ArrowDown",
    "ArrowDown",
    "ArrowDown",
    "End",
    "ArrowUp",
    "Home",
    "ArrowUp",
  ]) {
    await explorer.keyboard.press(key);
    await jobs.expectFocusedOfferInSight();
  }
});

test("a basket of eight parts is in sight as a whole, with what places it", async ({ explorer }) => {
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

test("what was placed is told by the basket while it is in sight, else by a notice", async ({ explorer, service }) => {
  const [jobs, notices] = [new JobsPage(explorer), new NoticesPage(explorer)];
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.choose("Front bumper cover", "Halfmoon Dismantlers");
  await jobs.placeOrders();
  await expect(notices.toasts.getByRole("listitem")).toHaveCount(0);

  await new ControlProgram(service.ready).arm("repairer.procurements.place", { delay: { ms: 1000 } }, 1);
  await jobs.choose("Bonnet", "Meridian Genuine Parts");
  await explorer.keyboard.press("ControlOrMeta+Enter");
  await jobs.show("Parts");
  await expect(notices.toast("1 order placed")).toBeVisible();
  await jobs.show("Basket");
  await expect(jobs.offer("Bonnet", "Meridian Genuine Parts")).not.toBeChecked();
});

test("parts that are ordered are left out of the choice while others are not", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.choose("Front bumper cover", "Halfmoon Dismantlers");
  await jobs.placeOrders();
  await expect(jobs.basket.getByText("1 already ordered")).toBeVisible();
  await expect(jobs.offer("Front bumper cover", "Meridian Genuine Parts")).toBeDisabled();
  await jobs.chooseCheapest();
  await jobs.expectChosen(7, 8);
});

test("a list of parts with a quantity that is no u8 names the line", async ({ explorer }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20419");
  await jobs.pasteParts(["Bonnet", "256 x Retaining clip set", "-1 x Fog lamp"]);
  await expect(jobs.job.getByText(/^Line 2: 256 is above 255\. Use 0 to 255 \(and 1 more line\)/)).toBeVisible();
  await expect(jobs.job.getByRole("button", { name: /^Insert 3 parts/ })).toBeDisabled();
  await expectAccessible(explorer);
  await explorer.reload();
  await expect(jobs.job.getByRole("tab", { name: /^Parts/ })).toHaveAttribute("aria-selected", "true");
  await jobs.pasteParts(["Bonnet", "255 x Retaining clip set"]);
  await jobs.job.getByRole("button", { name: /^Insert 2 parts/ }).click();
  await jobs.expectTabCount("Parts", 2);
});

test("that nobody is subscribed is said before an order is placed", async ({ explorer, service }) => {
  const jobs = new JobsPage(explorer);
  await jobs.goto();
  await jobs.open("J-20418");
  await jobs.show("Basket");
  await jobs.offer("Front bumper cover", "Meridian Genuine Parts").click();
  await expect(jobs.job.getByText("No integration is subscribed to these events")).toBeVisible();
  await new PartnerProgram(service.ready).subscribeSink();
  // Of the two sides only the buyer hears.
  await expect(jobs.placing).toContainText("Not subscribed: Meridian Genuine Parts");
  await jobs.choose("Front bumper cover", "Halfmoon Dismantlers");
  await expect(jobs.placing).toContainText("You can’t confirm these orders here");
  await expect(jobs.placing).not.toContainText(/subscribed/);
});
