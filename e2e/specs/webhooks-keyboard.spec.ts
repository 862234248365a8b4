import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures/explorer.ts";
import { WebhooksDrillsPage } from "../pages/webhooks-drills-page.ts";
import { WebhooksPage } from "../pages/webhooks-page.ts";

/** Keys need a focused element, not just the page. */
const expectFocus = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName ?? "BODY")).not.toBe("BODY");

/** Presses Tab until an element has focus; after the page's last element, the browser takes one press. */
const tabTo = async (page: Page, to: Locator): Promise<void> => {
  await expect(to).toBeVisible();
  for (let pressed = 0; pressed < 80; pressed += 1) {
    if (await to.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${to}`);
};
const enter = async (page: Page, on: Locator): Promise<void> => {
  await tabTo(page, on);
  await page.keyboard.press("Enter");
};

test("a subscription is created, used, tested and removed by keyboard alone", async ({ explorer: page }) => {
  const webhooks = new WebhooksPage(page);
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();

  await page.keyboard.press("n");
  await enter(page, webhooks.dialog.getByRole("textbox", { name: "Receiver URL" }));
  await expect(webhooks.dialog).toBeHidden();
  await webhooks.expectSubscriptions(1);
  await expectFocus(page);

  await enter(page, webhooks.subscriptions.getByRole("link").first());
  // A held Enter counts once.
  await tabTo(page, button("Send a test event"));
  await page.keyboard.down("Enter");
  await webhooks.expectDeliveries(1);
  await expect(button("Send a test event")).not.toHaveAttribute("aria-busy", "true");
  for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expectFocus(page);

  await tabTo(page, webhooks.feed.getByRole("link").first());
  await page.keyboard.press("Enter");
  await webhooks.expectVerified();
  await webhooks.expectDeliveries(1);
  await expectFocus(page);

  await page.keyboard.press("d");
  await expect(page.getByRole("menuitem", { name: /^Duplicate/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await new WebhooksDrillsPage(page).expectLine("Duplicate", "passed", "Acknowledged both");
  await expectFocus(page);

  await page.keyboard.press("1");
  await enter(page, button(/^Remove the subscription/));
  await enter(page, button("Remove subscription"));
  await expect(page.getByRole("dialog")).toBeHidden();
  await webhooks.expectSubscriptions(0);
  await expectFocus(page);
});
