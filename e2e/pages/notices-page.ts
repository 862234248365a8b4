import { expect, type Locator, type Page } from "@playwright/test";

/** The notices of this window: over the page, and in the list under the bell. */
export class NoticesPage {
  readonly page: Page;
  readonly toasts: Locator;
  readonly bell: Locator;
  readonly list: Locator;

  constructor(page: Page) {
    this.page = page;
    this.toasts = page.getByRole("region", { name: "Newest notices" });
    this.bell = page.getByRole("banner").getByRole("button", { name: /^Notices/ });
    this.list = page.getByRole("list", { name: "Notices, newest first" });
  }

  toast(text: string): Locator {
    return this.toasts.getByRole("listitem").filter({ hasText: text });
  }

  async close(text: string): Promise<void> {
    await this.toast(text).getByRole("button", { name: "Close notice" }).click();
    await expect(this.toast(text)).toBeHidden();
  }

  async open(): Promise<void> {
    await this.bell.click();
    await expect(this.page.getByRole("dialog", { name: "Notices" })).toBeVisible();
  }

  async expectListed(...titles: readonly string[]): Promise<void> {
    await expect(this.list.getByRole("listitem")).toHaveCount(titles.length);
    for (const [index, title] of titles.entries())
      await expect(this.list.getByRole("listitem").nth(index)).toContainText(title);
  }

  async expectUnread(count: number): Promise<void> {
    await expect(this.bell).toHaveAccessibleName(count === 0 ? "Notices" : `Notices, ${count} unread`);
  }
}
