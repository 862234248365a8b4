import { expect, type Locator, type Page } from "@playwright/test";

/** The place Activity: failures in all worlds, by cause. */
export class ActivityPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async goto(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Activity" }).click();
    await expect(this.page.getByRole("heading", { level: 1, name: "Activity" })).toBeVisible();
  }

  /** Expects a total such as "3 failures". */
  expectFailures(words: string): Promise<void> {
    return expect(this.page.getByRole("main").getByText(words, { exact: true })).toBeVisible();
  }

  cause(name: string | RegExp): Locator {
    return this.page.getByRole("region", { name: "Causes" }).getByRole("button", { name });
  }

  caller(name: string | RegExp): Locator {
    return this.page.getByRole("region", { name: "Callers" }).getByRole("button", { name });
  }

  async expectCauses(names: readonly string[]): Promise<void> {
    const causes = this.page.locator("[data-cause]");
    await expect(causes).toHaveCount(names.length);
    for (const [at, name] of names.entries()) await expect(causes.nth(at)).toContainText(name);
  }

  async choosePeriod(words: string): Promise<void> {
    await this.page
      .getByRole("radiogroup", { name: "Period" })
      .getByRole("radio", { name: words, exact: true })
      .check();
  }

  /** The link from a cause's count to its calls. */
  calls(words: string): Locator {
    return this.page
      .getByRole("list", { name: "Callers of this cause" })
      .getByRole("link", { name: words, exact: true });
  }
}
