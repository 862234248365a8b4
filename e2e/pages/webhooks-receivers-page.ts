import type { Locator, Page } from "@playwright/test";

/** Subscriptions with one of the sandbox's built-in receivers. */
export class WebhooksReceiversPage {
  readonly page: Page;
  readonly dialog: Locator;
  /** The behaviour of the open subscription's receiver. */
  readonly does: Locator;
  readonly change: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name: "Subscribe" });
    this.does = page.getByRole("region", { name: "Behaviour" });
    this.change = this.does.getByRole("button", { name: "Change behaviour" });
  }

  /** Creates a receiver for an integration (part of its name) that fails the first notifications; it is then open. */
  async make(integration: string, first: string): Promise<void> {
    await this.page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await this.dialog.getByRole("combobox", { name: "Integration" }).click();
    await this.page.getByRole("option", { name: integration }).first().click();
    await this.dialog.getByRole("radio", { name: "Built-in receiver" }).click();
    await this.#fail(this.dialog, "503", first);
    await this.dialog.getByRole("button", { name: /^Subscribe/ }).click();
    await this.does.waitFor();
  }

  async #fail(within: Locator, status: string, first: string): Promise<void> {
    await within.getByRole("radio", { name: /^Fail/ }).check();
    await within.getByRole("spinbutton", { name: "Status" }).fill(status);
    await within.getByRole("spinbutton", { name: "Only the first" }).fill(first);
  }

  /** Fills in the open receiver's failures; nothing is sent yet. */
  async fail(status: string, first: string): Promise<void> {
    await this.#fail(this.does, status, first);
  }

  async expectDoes(pattern: RegExp): Promise<void> {
    await this.does.getByText(pattern).waitFor();
  }
}
