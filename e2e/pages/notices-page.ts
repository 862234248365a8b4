import { expect, type Locator, type Page } from "@playwright/test";

/** Notices above the page, newest first. */
export class NoticesPage {
  readonly toasts: Locator;

  constructor(page: Page) {
    this.toasts = page.getByRole("alert").and(page.locator(".mantine-Notification-root"));
  }

  toast(text: string): Locator {
    return this.toasts.filter({ hasText: text }).first();
  }

  async close(text: string): Promise<void> {
    await this.toast(text).getByRole("button", { name: "Close notice" }).click();
    await expect(this.toast(text)).toBeHidden();
  }
}
