import { expect, type Locator, type Page } from "@playwright/test";

/** The wire under every place: the latest calls, and one in full. */
export class WirePage {
  readonly page: Page;
  readonly wire: Locator;
  readonly list: Locator;
  readonly request: Locator;
  readonly response: Locator;
  readonly handle: Locator;

  constructor(page: Page) {
    this.page = page;
    this.wire = page.getByRole("region", { name: "Wire" });
    this.list = this.wire.getByRole("list", { name: "Last calls" });
    this.request = this.wire.getByRole("region", { name: "Request", exact: true });
    this.response = this.wire.getByRole("region", { name: "Response", exact: true });
    this.handle = this.wire.getByRole("separator", { name: /^Height/ });
  }

  async toggle(): Promise<void> {
    await this.page.keyboard.press("~");
  }

  async open(): Promise<void> {
    await this.toggle();
    await this.handle.waitFor();
  }

  row(...texts: readonly string[]): Locator {
    return texts.reduce((rows, text) => rows.filter({ hasText: text }), this.list.getByRole("button"));
  }

  async choose(...texts: readonly string[]): Promise<void> {
    await this.row(...texts)
      .first()
      .click();
  }

  /** The line that stays visible while the wire is closed. */
  get bar(): Locator {
    return this.wire.getByRole("button", { name: /Wire/ });
  }

  /** Returns the ID of the call in the address, which is its `x-request-id`. */
  async addressed(): Promise<string> {
    await expect(this.page).toHaveURL(/[?&]wire=[0-9a-f-]{36}(&|$)/);
    return new URL(this.page.url()).searchParams.get("wire") ?? "";
  }

  async expectClosed(): Promise<void> {
    await expect(this.handle).toBeHidden();
    await expect(this.page).not.toHaveURL(/[?&]wire=/);
  }

  /** Returns the text that "cURL" copied. */
  async copyAsCurl(): Promise<string> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await this.request.getByRole("button", { name: "cURL" }).click();
    await this.request.getByRole("button", { name: "Copied" }).waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}
