import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";

/** From now on the service does not move any clock, as if its disk were full. */
const refuseToMove = (page: Page) =>
  page.route("**/__sandbox/clock.advance", (route) =>
    route.fulfill({ status: 503, json: { type: "unavailable", message: "The disk is full." } }),
  );

const moved = "The world’s clock is 1 h ahead of real time";
const failed = "Move the world’s clock: 503 unavailable";
const moveAnHour = (frame: FramePage) => frame.run("clock hour", /^Move clock ahead by 1 h/);

test("what was shown can be read again, the same once; failures stay until they are closed", async ({
  page,
  service,
}) => {
  await page.clock.install();
  await page.goto(service.ready.explorer_url);
  const [frame, notices] = [new FramePage(page), new NoticesPage(page)];
  await frame.expectPlace("Overview");
  await moveAnHour(frame);
  await expect(notices.toast(moved)).toBeVisible();
  await refuseToMove(page);
  await moveAnHour(frame);
  await moveAnHour(frame);
  await expect(notices.toast(failed)).toContainText("The disk is full.");
  await expect(notices.toast(failed)).toContainText("×2");
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
  await notices.open();
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(page.getByText("No notices yet")).toBeVisible();
});
