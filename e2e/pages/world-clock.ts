import { expect, type Locator, type Page } from "@playwright/test";

/** The world's clock in the top bar. */
export class WorldClock {
  readonly page: Page;
  readonly button: Locator;
  readonly panel: Locator;

  constructor(page: Page) {
    this.page = page;
    this.button = page.getByRole("banner").getByRole("button", { name: /world’s clock/i });
    this.panel = page.getByRole("dialog", { name: "The world’s clock" });
  }

  async open(): Promise<void> {
    await this.button.click();
    await expect(this.panel.getByText("Ahead by")).toBeVisible();
  }

  async close(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await expect(this.panel).toBeHidden();
  }

  async ahead(step: "15 min" | "1 h" | "1 day"): Promise<void> {
    await this.panel.getByRole("button", { name: step, exact: true }).click();
  }

  async aheadBy(span: string): Promise<void> {
    await this.typeSpan(span);
    await this.panel.getByRole("button", { name: "Move ahead" }).click();
  }

  async typeSpan(span: string): Promise<void> {
    await this.panel.getByRole("textbox", { name: "Or by" }).fill(span);
  }

  async backToNow(): Promise<void> {
    await this.panel.getByRole("button", { name: "Back to now" }).click();
  }

  /** How far the bar says it is ahead. */
  async expectAhead(words: string): Promise<void> {
    await expect(this.button).toHaveText(new RegExp(`^World’s clock ${words} ahead$`));
  }

  async expectNow(): Promise<void> {
    await expect(this.button).toHaveText("The world’s clock");
  }
}
