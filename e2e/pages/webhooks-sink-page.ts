import { expect, type Locator, type Page } from "@playwright/test";

/** The page of Webhooks that shows what the test receiver accepted and refused. */
export class WebhooksSinkPage {
  readonly page: Page;
  readonly list: Locator;
  /** The entry that is open. */
  readonly entry: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "What arrived at the test receiver" });
    this.entry = page.getByRole("article");
  }

  /** Entries with all of these words on their line, the newest first. */
  entries(...words: readonly string[]): Locator {
    let found = this.list.getByRole("link");
    for (const word of words) found = found.filter({ hasText: word });
    return found;
  }

  async expectNothing(): Promise<void> {
    await expect(this.page.getByText("Nothing arrived at the test receiver yet")).toBeVisible();
    await expect(this.page.getByText(/Subscribe .*\/__webhooks\/sink/)).toBeVisible();
  }

  async expectEntries(count: number, ...words: readonly string[]): Promise<void> {
    await expect(this.entries(...words)).toHaveCount(count);
  }

  async open(...words: readonly string[]): Promise<void> {
    await this.entries(...words)
      .first()
      .click();
    await expect(this.entry).toBeVisible();
  }

  /** What the open entry says of itself. */
  async expectWords(words: string | RegExp): Promise<void> {
    await expect(this.entry.getByText(words).first()).toBeVisible();
  }

  /** The verdicts of the four steps on the open entry, in their order. */
  async expectVerdicts(...verdicts: readonly ("passed" | "failed" | "skipped")[]): Promise<void> {
    const steps = this.entry.getByRole("region", { name: "Verification" }).getByRole("listitem");
    await expect(steps).toHaveCount(4);
    for (const [index, verdict] of verdicts.entries()) await expect(steps.nth(index)).toContainText(`${verdict}:`);
  }

  async openDelivery(): Promise<void> {
    await this.entry.getByRole("link", { name: /procurements|jobs/ }).click();
    await expect(this.page).toHaveURL(/\/webhooks\/[0-9a-f-]{36}$/);
  }
}
