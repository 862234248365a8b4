import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { WorldClock } from "../pages/world-clock.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

test("how far the world's clock is ahead is seen in the bar, which leads to where it is moved", async ({
  explorer,
}) => {
  const clock = new WorldClock(explorer);
  await clock.expectNow();
  await explorer.keyboard.press("t");
  await expect(clock.section.locator(":focus")).toContainText("at real time");
  await clock.aheadBy("2 days");
  await clock.expectAhead("2 d");
  await expect(clock.section).toContainText("2 d ahead of real time");
  await expectAccessible(explorer);
  await explorer.reload();
  await clock.expectAhead("2 d");
  await clock.section.getByRole("button", { name: "Reset to real time" }).click();
  await clock.expectNow();
});

test("each world has a clock of its own, and one window's move is seen in another", async ({ explorer, context }) => {
  const [clock, worlds] = [new WorldClock(explorer), new WorldsMenu(explorer)];
  await worlds.create("ahead");
  const beside = await context.newPage();
  await beside.goto(explorer.url());
  await clock.open();
  await clock.aheadBy("1 day");
  await clock.expectAhead("1 d");
  await new WorldClock(beside).expectAhead("1 d");
  await worlds.switchTo("default");
  await clock.expectNow();
});

test("the palette moves the clock and says so", async ({ explorer }) => {
  const frame = new FramePage(explorer);
  await frame.run("clock hour", /^Move clock ahead by 1 h/);
  await new WorldClock(explorer).expectAhead("1 h");
  await expect(new NoticesPage(explorer).toast("The world’s clock is 1 h ahead of real time")).toBeVisible();
  await frame.run("clock reset", /^Reset clock to real time/);
  await new WorldClock(explorer).expectNow();
});
