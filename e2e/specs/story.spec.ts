import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/explorer.ts";

test.use({ ownService: true });

test("one button plays an order to its confirmation, and the story plays from a file without network", async ({
  explorer,
  browser,
  service,
}) => {
  await explorer.emulateMedia({ reducedMotion: "no-preference" });
  await explorer.getByRole("link", { name: "Play the story" }).click();
  const story = explorer.getByRole("dialog", { name: /^Story/ });
  await expect(story.getByRole("heading", { level: 1 })).toContainText("installs");
  await expect(story.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(story.locator(":focus")).toHaveCount(1);
  await explorer.keyboard.press("Space");
  await expect(story.getByRole("button", { name: "Play" })).toBeVisible();
  await explorer.getByRole("button", { name: "2×" }).click();
  await explorer.keyboard.press("Space");
  // Advances without another click.
  await expect(story).toContainText("2 of 8", { timeout: 15_000 });
  // A reload continues the run in its world.
  const program = new ControlProgram(service.ready);
  const worlds = await program.worlds();
  await explorer.reload();
  await expect(story).toContainText(/[23] of 8/);
  expect(await program.worlds()).toEqual(worlds);
  await explorer.keyboard.press("7");
  const supplier = story.getByRole("region", { name: "The supplier’s screen" });
  await expect(supplier).toContainText("Order confirmed");
  await expect(story.getByText("Verified")).toHaveCount(2);
  await explorer.keyboard.press("ArrowLeft");
  await expect(supplier).toContainText("Order requested");
  await expectAccessible(explorer);
  await explorer.keyboard.press("5");
  // Only the chosen offer is marked.
  await expect(story.locator("td[data-picked=true]")).not.toHaveCSS("box-shadow", "none");
  await expect(story.locator("td[data-picked=false]").first()).toHaveCSS("box-shadow", "none");
  await explorer.keyboard.press("8");
  await expect(story.getByText("Verified")).toHaveCount(2);

  await explorer.keyboard.press("End");
  await expect(story.getByRole("heading", { name: "What you saw" })).toBeVisible();
  await expect(story.getByText(/^10 calls/)).toContainText(/\b5\b/);
  await explorer.reload();
  await expect(story.getByRole("heading", { name: "What you saw" })).toBeVisible();
  expect(await program.worlds()).toEqual(worlds);
  const downloading = explorer.waitForEvent("download");
  await story.getByRole("button", { name: /^Share as one HTML file/ }).click();
  const file = await (await downloading).path();
  const html = await readFile(file, "utf8");
  expect(html.length).toBeLessThan(1_500_000);
  expect(html).not.toMatch(/isk_[0-9a-f]{32}/);

  const context = await browser.newContext({ offline: true, reducedMotion: "reduce" });
  const alone = await context.newPage();
  const asked: string[] = [];
  alone.on("request", (request) => asked.push(request.url()));
  alone.on("pageerror", (error) => asked.push(String(error)));
  await alone.route("http://story.invalid/", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await alone.goto("http://story.invalid/");
  await alone.getByRole("heading", { level: 1 }).waitFor();
  await alone.keyboard.press("7");
  await expect(alone.getByRole("region", { name: "The supplier’s screen" })).toContainText("Order confirmed");
  await expectAccessible(alone);
  // With its call open, in forced colours, on a phone.
  await alone.emulateMedia({ forcedColors: "active" });
  const [here, next] = [
    alone.getByRole("button", { name: /^Confirm/ }).first(),
    alone.getByRole("button", { name: /^Webhooks/ }).first(),
  ];
  const fillOf = (station: typeof here) =>
    station.locator("i").evaluate((mark) => getComputedStyle(mark).backgroundColor);
  expect(await fillOf(here)).not.toBe(await fillOf(next));
  await alone.keyboard.press("d");
  await expect(alone.getByRole("region", { name: "Confirm: request and response" })).toBeVisible();
  await expectAccessible(alone);
  await alone.setViewportSize({ width: 390, height: 844 });
  expect(await alone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(alone);
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual(["http://story.invalid/"]);
  await context.close();

  await explorer.keyboard.press("Home");
  await explorer.keyboard.press("Escape");
  // The question has its own keys: they neither move the story nor leave it.
  const question = explorer.getByRole("dialog", { name: "Keep the story’s world?" });
  await expect(question.locator(":focus")).toHaveCount(1);
  await explorer.keyboard.press("ArrowRight");
  await explorer.keyboard.press("3");
  await expect(story).toContainText("1 of 8");
  await explorer.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(story).toContainText("1 of 8");
  await explorer.keyboard.press("Escape");
  await explorer.getByRole("button", { name: "Keep the world" }).click();
  await expect(explorer).toHaveURL(/\/scenarios\/install-and-first-order/);
  await expect(explorer.getByRole("article")).toBeVisible();
  await expect(explorer.getByRole("dialog")).toHaveCount(0);
});

test("going back out of a story keeps its world and offers to delete it; a deleted one says so", async ({
  explorer,
  service,
}) => {
  const program = new ControlProgram(service.ready);
  const before = await program.worlds();
  await explorer.getByRole("link", { name: "Play the story" }).click();
  const story = explorer.getByRole("dialog", { name: /^Story/ });
  await expect(story.getByText("Installed")).toHaveCount(2);
  await explorer.goBack();
  const notice = explorer.getByRole("alert").filter({ hasText: "The story’s world is kept" });
  await expect(notice).toBeVisible();
  await expect(explorer).toHaveURL(/\/(\?|$)/);
  expect(await program.worlds()).toHaveLength(before.length + 1);
  await notice.getByRole("button", { name: "Delete the world" }).click();
  await expect.poll(() => program.worlds()).toEqual(before);

  // A story whose world was deleted says so, and asks nothing on leaving.
  await explorer.emulateMedia({ reducedMotion: "reduce" });
  await explorer.getByRole("link", { name: "Play the story" }).click();
  await expect(story.getByText("Installed")).toHaveCount(2);
  const world = (await program.worlds()).find((one) => !before.includes(one)) ?? "";
  await program.delete(world);
  await explorer.keyboard.press("ArrowRight");
  await explorer.keyboard.press("ArrowRight");
  await expect(story.getByRole("alert")).toContainText(world);
  await explorer.keyboard.press("Escape");
  await expect(explorer).toHaveURL(/\/scenarios\/install-and-first-order/);
  await expect(explorer.getByRole("dialog")).toHaveCount(0);
});

test("a story that ended is played again only on request, after a restart and after Forward", async ({
  explorer,
  service,
}) => {
  const program = new ControlProgram(service.ready);
  await explorer.emulateMedia({ reducedMotion: "reduce" });
  await explorer.getByRole("link", { name: "Play the story" }).click();
  const story = explorer.getByRole("dialog", { name: /^Story/ });
  await expect(story.getByText("Installed")).toHaveCount(2);
  await service.stop();
  await service.start();
  const before = await program.worlds();
  await explorer.reload();
  await expect(story).toContainText("This story has ended.");
  await expectAccessible(explorer);
  expect(await program.worlds()).toEqual(before);

  await story.getByRole("button", { name: "Play it again" }).click();
  await expect(story.getByText("Installed")).toHaveCount(2);
  expect(await program.worlds()).toHaveLength(before.length + 1);
  await explorer.goBack();
  await expect(explorer.getByRole("alert").filter({ hasText: "The story’s world is kept" })).toBeVisible();
  await explorer.goForward();
  await expect(story).toContainText("This story has ended.");
  await explorer.keyboard.press("Escape");
  await expect(explorer).toHaveURL(/\/scenarios\/install-and-first-order/);
  await expect(explorer.getByRole("dialog")).toHaveCount(0);
  expect(await program.worlds()).toHaveLength(before.length + 1);
});

for (const name of ["install-and-first-order", "slow-supplier-and-cancellation", "receiver-down-and-back"])
  test(`every screen of the story ${name} is accessible in both schemes and fits a narrow phone`, async ({ page }) => {
    test.slow();
    const folder = await mkdtemp(path.join(os.tmpdir(), "story-"));
    const file = path.join(folder, "story.html");
    const command = path.join(import.meta.dirname, "../../out/sandbox/cli.js");
    await promisify(execFile)(process.execPath, [command, "run", `docs/scenarios/${name}.json`, "--story", file]);
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
    await page.goto(`file://${file}`);
    await rm(folder, { recursive: true });
    const heading = page.getByRole("heading", { level: 1 });
    for (let text = ""; text !== "What you saw"; ) {
      text = (await heading.textContent()) ?? "";
      await expectAccessibleInBoth(page);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      for (const row of await page
        .getByRole("region", { name: /^What the/ })
        .locator("li > :first-child")
        .all())
        expect((await row.boundingBox())?.width).toBeGreaterThan(40);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.keyboard.press("ArrowRight");
    }
  });
