import { expect, type Locator, type Page } from "@playwright/test";

export type DrillTitle =
  | "Duplicate"
  | "Out of order"
  | "No signature"
  | "One byte flipped"
  | "Wrong secret"
  | "No timestamp"
  | "Unparseable timestamp"
  | "Six minutes old"
  | "Six minutes ahead";

/** Drills: beside a delivery, and on the scorecard of a subscription. */
export class WebhooksDrillsPage {
  readonly page: Page;
  /** The drills beside the open delivery. */
  readonly aside: Locator;
  /** The drills of the open scorecard. */
  readonly list: Locator;
  /** The drill that is open on the scorecard. */
  readonly result: Locator;

  constructor(page: Page) {
    this.page = page;
    this.aside = page.getByRole("region", { name: "Drills on its receiver" });
    this.list = page.getByRole("list", { name: "Drills" });
    this.result = page.getByRole("article").getByRole("article");
  }

  /** Sends the open delivery's notification as a drill, with the keyboard alone. */
  async sendAs(title: DrillTitle): Promise<void> {
    await this.page.keyboard.press("d");
    const choice = this.page.getByRole("menuitem", { name: new RegExp(`^${title}`) });
    await expect(choice).toBeVisible();
    await choice.press("Enter");
  }

  /** The drills beside the open delivery are shown. */
  async showBesideDelivery(): Promise<void> {
    await this.page.getByRole("tab", { name: /^Drills/ }).click();
    await expect(this.aside).toBeVisible();
  }

  /** A drill's line beside the delivery. */
  line(title: DrillTitle): Locator {
    return this.aside.getByRole("listitem").filter({ has: this.page.getByText(title, { exact: true }) });
  }

  async expectBesideDelivery(title: DrillTitle, ...words: readonly (string | RegExp)[]): Promise<void> {
    for (const said of words) await expect(this.line(title)).toContainText(said);
  }

  /** What the score says: "3 of 9 passed, 6 failed". */
  async expectScore(words: string): Promise<void> {
    await expect(this.page.getByRole("img", { name: words, exact: true })).toBeVisible({ timeout: 30_000 });
  }

  async openScorecard(): Promise<void> {
    await this.aside.getByRole("link").first().click();
    await expect(this.list).toBeVisible();
  }

  async runAll(): Promise<void> {
    await this.page.getByRole("button", { name: "Run all" }).click();
  }

  /** How far a run has come is said while it is under way. */
  async expectUnderWay(): Promise<void> {
    await expect(this.#stop).toBeVisible();
  }

  /** Gives up a run of all drills. */
  async stopRun(): Promise<void> {
    await this.#stop.click();
    await expect(this.page.getByRole("button", { name: "Run all" })).toBeEnabled();
  }

  get #stop(): Locator {
    return this.page.getByRole("button", { name: /^Stop, \d of 9 done$/ });
  }

  async open(title: DrillTitle): Promise<void> {
    await this.list.getByRole("link", { name: new RegExp(title) }).click();
    await expect(this.result.getByRole("heading", { level: 2, name: title })).toBeVisible();
  }

  async expectLine(title: DrillTitle, ...words: readonly (string | RegExp)[]): Promise<void> {
    const line = this.list.getByRole("link", { name: new RegExp(title) });
    for (const said of words) await expect(line).toContainText(said);
  }

  /** What the open drill says. */
  async expectResult(...words: readonly (string | RegExp)[]): Promise<void> {
    for (const said of words) await expect(this.result.getByText(said).first()).toBeVisible();
  }

  async chooseLanguage(name: string): Promise<void> {
    await this.page.getByRole("radiogroup", { name: "Language" }).getByRole("radio", { name, exact: true }).click();
  }

  /** The code that is shown marks lines that refuse for this reason. */
  async expectCodeMarks(file: string, reason: string): Promise<void> {
    const marked = this.page.getByRole("region", { name: file, exact: true }).locator("[data-hit]");
    await expect(marked.first()).toContainText(reason);
  }
}
