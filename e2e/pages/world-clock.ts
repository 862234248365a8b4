import { expect, type Locator, type Page } from "@playwright/test";
import { WorldsPage } from "./worlds-page.ts";

/** The world's clock: its entry in the top bar, and its dialog. */
export class WorldClock {
  readonly link: Locator;
  readonly section: Locator;

  constructor(page: Page) {
    this.link = page.getByRole("banner").getByRole("link", { name: /world’s clock/i });
    this.section = new WorldsPage(page).clock;
  }

  async open(): Promise<void> {
    await this.link.click();
    await this.section.waitFor();
  }

  async aheadBy(span: string): Promise<void> {
    await this.section.getByRole("textbox", { name: "Custom duration" }).fill(span);
    await this.section.getByRole("button", { name: /^Move clock .* ahead$/ }).click();
  }

  /** Expects the offset in the bar. */
  async expectAhead(words: string): Promise<void> {
    await expect(this.link).toHaveText(new RegExp(`\\b${words} ahead$`));
  }

  async expectNow(): Promise<void> {
    await expect(this.link).toHaveText("The world’s clock");
  }
}
