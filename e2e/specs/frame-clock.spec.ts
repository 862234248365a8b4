import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { WorldClock } from "../pages/world-clock.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

test("the bar of every window shows its world's clock offset, and links to the clock", async ({
  explorer,
  context,
}) => {
  const [clock, worlds] = [new WorldClock(explorer), new WorldsMenu(explorer)];
  await clock.expectNow();
  await worlds.create("ahead");
  const beside = await context.newPage();
  await beside.goto(explorer.url());
  await explorer.keyboard.press("t");
  await expect(clock.section.locator(":focus")).toContainText("at real time");
  await clock.aheadBy("2 days");
  await clock.expectAhead("2 d");
  await expect(clock.section).toContainText("2 d ahead");
  await new WorldClock(beside).expectAhead("2 d");
  await expectAccessible(explorer);
  await worlds.switchTo("default");
  await clock.expectNow();
  await worlds.switchTo("ahead");
  await clock.expectAhead("2 d");
  await clock.open();
  await clock.section.getByRole("button", { name: "Reset to real time" }).click();
  await clock.expectNow();
});
