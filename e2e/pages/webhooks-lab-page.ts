import { expect, type Locator, type Page } from "@playwright/test";

type Verdict = "passed" | "failed" | "skipped";

/** The signature lab. */
export class WebhooksLabPage {
  readonly page: Page;
  readonly body: Locator;
  readonly header: Locator;
  readonly found: Locator;

  constructor(page: Page) {
    this.page = page;
    this.body = page.getByRole("textbox", { name: "Body" });
    this.header = page.getByRole("textbox", { name: "service-hmac-sha256" });
    this.found = page.getByRole("article", { name: "Lab result" });
  }

  async expectEmpty(): Promise<void> {
    await this.page.getByText("Paste a notification").waitFor();
    await expect(this.body).toHaveValue("");
  }

  /** Starts with the newest notification. */
  async takeNewest(): Promise<void> {
    await this.page.getByRole("button", { name: "Use latest delivery" }).click();
    await expect(this.body).not.toHaveValue("");
  }

  async paste({
    body,
    header,
    secret,
    at,
  }: {
    body: string;
    header: string;
    secret?: string;
    at?: string;
  }): Promise<void> {
    await this.body.fill(body);
    await this.header.fill(header);
    if (secret !== undefined) await this.chooseSecret(secret);
    if (at !== undefined) await this.page.getByRole("textbox", { name: "Verification time" }).fill(at);
  }

  async chooseSecret(secret: string): Promise<void> {
    await this.page.getByRole("combobox", { name: "Secret of" }).click();
    await this.page.getByRole("option", { name: "Another secret" }).click();
    await this.page.getByRole("textbox", { name: "Secret", exact: true }).fill(secret);
  }

  async empty(): Promise<void> {
    await this.page.getByRole("button", { name: "Clear the lab" }).click();
    await this.expectEmpty();
  }

  /** Expects the verdicts of the four steps, in their order. */
  async expectVerdicts(...verdicts: readonly Verdict[]): Promise<void> {
    const steps = this.found.getByRole("region", { name: "Verification" }).getByRole("listitem");
    for (const [index, verdict] of verdicts.entries()) await expect(steps.nth(index)).toContainText(`${verdict}:`);
  }

  async expectVerified(): Promise<void> {
    await this.found.getByText("verified", { exact: true }).waitFor();
    await this.expectVerdicts("passed", "passed", "passed", "passed");
    await expect(this.found.getByRole("region", { name: "Problems" })).toBeHidden();
  }

  /** Expects the comparison with the sent bytes of the same message_id. */
  async expectCompared(...words: readonly (string | RegExp)[]): Promise<void> {
    const compared = this.found.getByRole("region", { name: /^Compared with/ });
    for (const text of words) await expect(compared).toContainText(text);
  }

  /** Expects the titles of the problems, in their order. */
  async expectWrong(...titles: readonly string[]): Promise<void> {
    await expect(this.found.getByRole("region", { name: "Problems" }).getByRole("heading")).toHaveText([...titles]);
  }
}
