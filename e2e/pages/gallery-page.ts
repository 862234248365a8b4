import type { Locator, Page } from "@playwright/test";

/** The page with every component in every state, separate from the explorer. */
export class GalleryPage {
  readonly page: Page;
  readonly cells: Locator;

  constructor(page: Page) {
    this.page = page;
    this.cells = page.locator(".gallery-grid");
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.getByRole("heading", { level: 1, name: "Components" }).waitFor();
    await this.page.evaluate(async () => {
      await document.fonts.ready;
    });
  }
}
