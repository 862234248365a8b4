import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";
import { WorldClock } from "../pages/world-clock.ts";
import { WorldsPage } from "../pages/worlds-page.ts";

test("what comes on the clock is listed before it is moved, and what came after it", async ({ explorer, service }) => {
  const [worlds, bar] = [new WorldsPage(explorer), new WorldClock(explorer)];
  const program = new ControlProgram(service.ready);
  const code = await program.issueCode();
  await worlds.goto();
  const { clock } = worlds;
  await expect(clock).toContainText("at real time");
  await worlds.target("Just after the next access code expires").check();
  const masked = `ac_••••••••${code.slice(-4)}`;
  await expect(worlds.whatComes).toContainText(`access code ${masked}`);
  await expect(worlds.whatComes).toContainText("expires");
  await expect(clock).toContainText("webhook_timestamp");
  expect(await program.clockOffset()).toBe(0);
  await clock.getByRole("button", { name: /^Move clock 1\d min .* ahead$/ }).click();
  await expect(worlds.whatCame).toContainText(masked);
  await expect(clock.locator("p:focus")).toContainText("ahead of real time");
  await bar.expectAhead("1[45] min( \\d+ s)?");
  expect(await program.isCodeGood(code)).toBe(false);
  await expect(worlds.target("Just after the next access code expires")).toBeDisabled();
  await expect(clock).toContainText("no unused code");
  await expectAccessibleInBoth(explorer);
  await clock.getByRole("button", { name: "Reset to real time" }).click();
  await bar.expectNow();
  await expect(clock.locator("p:focus")).toContainText("at real time");
  await expect(worlds.whatCame).toHaveCount(0);
});

test("the clock goes by an amount of one's own, and over a weekend", async ({ explorer, service }) => {
  const [worlds, bar] = [new WorldsPage(explorer), new WorldClock(explorer)];
  const program = new ControlProgram(service.ready);
  await bar.open();
  await worlds.clock.getByRole("textbox", { name: "Custom duration" }).fill("5 fortnights");
  await expect(worlds.clock).toContainText("Enter a number with min, h, days or weeks");
  await bar.aheadBy("2 h");
  await bar.expectAhead("2 h|1 h 59 min");
  await worlds.target("Over the weekend").check();
  await worlds.clock.getByRole("button", { name: /^Move clock .* ahead$/ }).click();
  const nowThere = async () => new Date(Date.now() + (await program.clockOffset()) * 1000);
  await expect
    .poll(async () => {
      const at = await nowThere();
      return [at.getDay(), at.getHours(), at.getMinutes()];
    })
    .toEqual([1, 9, 0]);
});
