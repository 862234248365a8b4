import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";
import { WorldClock } from "../pages/world-clock.ts";
import { WorldsMenu } from "../pages/worlds-menu.ts";

test("the world's clock is moved ahead by steps and by any span, seen in the bar, and put back", async ({
  explorer,
}) => {
  test.slow();
  const clock = new WorldClock(explorer);
  await clock.expectNow();
  await clock.open();
  await expectAccessible(explorer);
  await clock.ahead("15 min");
  await clock.expectAhead("15 min");
  await clock.ahead("1 h");
  await clock.expectAhead("1 h 15 min");
  await expect(clock.panel.getByText("1 h 15 min ahead of real time")).toBeVisible();
  await clock.typeSpan("5 fortnights");
  await expect(clock.panel.getByText(/^A number and min, h, days or weeks/)).toBeVisible();
  await clock.aheadBy("2 days");
  await clock.expectAhead("2 d 1 h");
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);
  await clock.close();
  await explorer.reload();
  await clock.expectAhead("2 d 1 h");
  await clock.open();
  await clock.backToNow();
  await clock.expectNow();
});

test("each world has a clock of its own, and one window's move is seen in another", async ({ explorer, context }) => {
  const [clock, worlds] = [new WorldClock(explorer), new WorldsMenu(explorer)];
  await worlds.create("ahead");
  const beside = await context.newPage();
  await beside.goto(explorer.url());
  await clock.open();
  await clock.ahead("1 day");
  await clock.expectAhead("1 d");
  await new WorldClock(beside).expectAhead("1 d");
  await clock.close();
  await worlds.switchTo("default");
  await clock.expectNow();
});

test("the palette moves the clock and says so", async ({ explorer }) => {
  const frame = new FramePage(explorer);
  await frame.run("clock hour", /^Move the clock ahead by 1 h/);
  await new WorldClock(explorer).expectAhead("1 h");
  await expect(new NoticesPage(explorer).toast("The world’s clock is 1 h ahead of real time")).toBeVisible();
  await frame.run("clock back", /^Set the clock back to now/);
  await new WorldClock(explorer).expectNow();
});
