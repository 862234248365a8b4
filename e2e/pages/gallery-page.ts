import { expect, type Locator, type Page } from "@playwright/test";

/** The page with every component in every state, which is no part of the explorer. */
export class GalleryPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
    await expect(this.page.getByRole("heading", { level: 1, name: "Components" })).toBeVisible();
    await this.page.evaluate(async () => {
      await document.fonts.ready;
    });
  }

  /** Its cells, by what each shows. */
  async titles(): Promise<readonly string[]> {
    return this.page.locator(".gallery-grid > section > h2").allInnerTexts();
  }

  cell(title: string): Locator {
    return this.page.locator(".gallery-grid > section").filter({
      has: this.page.getByRole("heading", { level: 2, name: title, exact: true }),
    });
  }
}
