import { expect, type Locator, type Page } from "@playwright/test";

/** The dialog that takes a call out of what another program wrote. */
export class ImportDialog {
  readonly page: Page;
  readonly dialog: Locator;
  /** As what the text was read. */
  readonly read: Locator;
  readonly leftOut: Locator;
  readonly openButton: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name: "Import a call" });
    this.read = this.dialog.getByText(/^Read as /);
    this.leftOut = this.dialog.getByText(/^Not imported/);
    this.openButton = this.dialog.getByRole("button", { name: "Open in Console" });
  }

  /** From the Console. */
  async open(): Promise<void> {
    await this.page.getByRole("button", { name: /^Import a call/ }).click();
    await this.dialog.getByRole("textbox").waitFor();
  }

  async paste(text: string): Promise<void> {
    await this.dialog.getByRole("textbox", { name: "A cURL command" }).fill(text);
  }

  async choose(name: string, content: string): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      this.dialog.getByRole("button", { name: "Choose a file" }).click(),
    ]);
    await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  }

  /** Takes one of several that were found. */
  async take(name: RegExp): Promise<void> {
    await this.dialog.getByRole("combobox", { name: "Call" }).click();
    await this.page.getByRole("option", { name }).click();
  }

  async openInConsole(): Promise<void> {
    await this.openButton.click();
    await expect(this.dialog).toBeHidden();
  }
}
