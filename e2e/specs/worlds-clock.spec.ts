import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { WorldClock } from "../pages/world-clock.ts";
import { WorldsPage } from "../pages/worlds-page.ts";

test("upcoming deadlines are listed before the clock is moved", async ({ explorer, service }) => {
  const [worlds, bar] = [new WorldsPage(explorer), new WorldClock(explorer)];
  const program = new ControlProgram(service.ready);
  const code = await program.issueCode();
  await worlds.goto();
  const { clock } = worlds;
  await expect(clock).toContainText("at real time");
  await worlds.target("code-after").check();
  const masked = `ac_••••••••${code.slice(-4)}`;
  await expect(worlds.whatComes).toContainText(masked);
  await expect(worlds.whatComes).toContainText("expires");
  await expect(clock).toContainText("webhook_timestamp");
  expect(await program.clockOffset()).toBe(0);
  await clock.getByRole("button", { name: /^Move clock 1\d min .* ahead$/ }).click();
  await expect(clock.locator("p:focus")).toContainText("ahead");
  await bar.expectAhead("1[45] min( \\d+ s)?");
  expect(await program.isCodeGood(code)).toBe(false);
  await expect(worlds.target("code-after")).toBeDisabled();
  await expect(clock).toContainText("no unused code");
  await expectAccessible(explorer);
  await clock.getByRole("button", { name: "Reset to real time" }).click();
  await bar.expectNow();
  await expect(clock.locator("p:focus")).toContainText("at real time");
});
