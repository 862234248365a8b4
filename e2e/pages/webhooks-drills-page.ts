import { expect, type Locator, type Page } from "@playwright/test";
import { drillNames } from "../../sandbox/contract/drill-names.ts";

type DrillTitle =
  | "Duplicate"
  | "Twice at once"
  | "Out of order"
  | "Printed differently"
  | "Timestamp forms"
  | "Twenty at once"
  | "No signature"
  | "One byte flipped"
  | "Wrong secret"
  | "Another integration’s secret"
  | "No timestamp"
  | "Unparseable timestamp"
  | "Six minutes old"
  | "Six minutes ahead";

/** Drills: beside a delivery, and on the page of a subscription. */
export class WebhooksDrillsPage {
  readonly page: Page;
  readonly list: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("region", { name: "Drills" }).getByRole("list").first();
  }

  /** Sends the open delivery's notification as a drill, only by keyboard. */
  async sendAs(title: DrillTitle): Promise<void> {
    await this.page.keyboard.press("d");
    const choice = this.page.getByRole("menuitem", { name: new RegExp(`^${title}`) });
    await choice.waitFor();
    await choice.press("Enter");
  }

  /** Shows the drills beside the open delivery. */
  async showBesideDelivery(): Promise<void> {
    await this.page.getByRole("tab", { name: /^Drills/ }).click();
    await this.list.waitFor();
  }

  /** A drill's row, and its expanded text. */
  line(title: DrillTitle): Locator {
    return this.list.getByRole("listitem").filter({ has: this.page.getByText(title, { exact: true }) });
  }

  async expectLine(title: DrillTitle, ...words: readonly (string | RegExp)[]): Promise<void> {
    for (const text of words) await expect(this.line(title)).toContainText(text);
  }

  /** Expects the score after all drills have run. */
  async expectScore({ passed, failed }: { readonly passed: number; readonly failed: number }): Promise<void> {
    const score = new RegExp(`^${passed} of ${drillNames.length} passed, ${failed} failed(?!.*not run)`);
    await expect(this.page.getByRole("img", { name: score })).toBeVisible({ timeout: 30_000 });
  }

  async runAll(): Promise<void> {
    await this.page.getByRole("button", { name: "Run all" }).click();
  }

  async open(title: DrillTitle): Promise<void> {
    const button = this.line(title).getByRole("button", { name: title });
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", "true");
  }

  async chooseLanguage(name: string): Promise<void> {
    await this.page.getByRole("radiogroup", { name: "Language" }).getByRole("radio", { name, exact: true }).click();
  }

  /** Expects marked lines in the shown code for this reason. */
  async expectCodeMarks(file: string, reason: string): Promise<void> {
    const marked = this.page.getByRole("region", { name: file, exact: true }).locator("[data-hit]");
    await expect(marked.first()).toContainText(reason);
  }
}
