import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";

/** From now on the service does not move any clock, as if its disk were full; or moves them again. */
const refuseToMove = (page: Page) =>
  page.route("**/__sandbox/clock.advance", (route) =>
    route.fulfill({ status: 503, json: { type: "unavailable", message: "The disk is full." } }),
  );
const moveAgain = (page: Page) => page.unroute("**/__sandbox/clock.advance");

const moved = "The world’s clock is 1 h ahead of real time";
const failed = "Move the world’s clock: 503 unavailable";
const moveAnHour = (frame: FramePage) => frame.run("clock hour", /^Move clock ahead by 1 h/);

test("what was shown can be read again, and failures stay until they are closed", async ({ page, service }) => {
  await page.clock.install();
  await page.goto(service.ready.explorer_url);
  const [frame, notices] = [new FramePage(page), new NoticesPage(page)];
  await frame.expectPlace("Overview");
  await moveAnHour(frame);
  await expect(notices.toast(moved)).toBeVisible();
  await refuseToMove(page);
  await moveAnHour(frame);
  await expect(notices.toast(failed)).toContainText("The disk is full.");
  await notices.expectUnread(2);
  await page.clock.fastForward(20_000);
  await expect(notices.toast(moved)).toHaveCount(0);
  await expect(notices.toast(failed)).toBeVisible();
  await page.reload();
  await expect(notices.toast(failed)).toBeVisible();
  await notices.close(failed);
  await notices.expectUnread(1);

  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await expect(notices.list).toBeFocused();
  await notices.expectListed(failed, moved);
  await expectAccessible(page);
  await frame.escape();
  await notices.expectUnread(0);
});

test("more notices than fit are counted over the page and all in the list", async ({ explorer }) => {
  const [frame, notices] = [new FramePage(explorer), new NoticesPage(explorer)];
  for (let hours = 1; hours <= 2; hours++) {
    await refuseToMove(explorer);
    await moveAnHour(frame);
    await expect(notices.toast(failed).last()).toBeVisible();
    await moveAgain(explorer);
    await moveAnHour(frame);
    await expect(notices.toast(`${hours} h ahead`)).toBeVisible();
    // Looked at, it stays.
    await notices.toasts.hover();
  }
  await expect(notices.toasts.getByRole("listitem")).toHaveCount(3);
  await notices.toasts.getByRole("button", { name: "1 older notice" }).click();
  await expect(notices.list.getByRole("listitem")).toHaveCount(4);
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);
  await explorer.getByRole("button", { name: "Clear all" }).click();
  await expect(explorer.getByText("No notices yet")).toBeVisible();
});

test("the same notice again is counted, not stacked", async ({ explorer }) => {
  const [frame, notices] = [new FramePage(explorer), new NoticesPage(explorer)];
  await refuseToMove(explorer);
  for (let count = 1; count <= 3; count++) await moveAnHour(frame);
  await expect(notices.toast(failed)).toContainText("×3");
  await expect(notices.toasts.getByRole("listitem")).toHaveCount(1);
});

test("the notices are opened and left by keys, however fast: also right after a menu, and while there are none", async ({
  explorer,
}) => {
  const frame = new FramePage(explorer);
  const dialog = explorer.getByRole("dialog", { name: "Notices" });
  const theme = frame.bar.getByRole("button", { name: "Theme" });
  for (const _time of ["first", "second", "third"]) {
    await theme.focus();
    await explorer.keyboard.press("Enter");
    await expect(explorer.getByRole("menuitemradio").first()).toBeFocused();
    for (const key of ["Escape", "g", "n"]) await explorer.keyboard.press(key);
    await expect(dialog).toContainText("No notices yet");
    await expect(dialog.locator(":focus").or(dialog.and(explorer.locator(":focus")))).toBeAttached();
    await explorer.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(theme).toBeFocused();
    for (const key of ["g", "n", "Escape"]) await explorer.keyboard.press(key);
    await expect(dialog).toBeHidden();
    await expect(theme).toBeFocused();
  }
});
