import { expect, type Locator, type Page } from "@playwright/test";

/** The dialog that imports a call from another program's text. */
export class ImportDialog {
  readonly page: Page;
  readonly dialog: Locator;
  /** The recognized format. */
  readonly read: Locator;
  readonly leftOut: Locator;
  readonly openButton: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name: "Import a call" });
    this.read = this.dialog.getByRole("status");
    this.leftOut = this.dialog.getByText(/^Not imported/);
    this.openButton = this.dialog.getByRole("button", { name: "Open in Console" });
  }

  /** Opens the dialog from the Console. */
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

  /** Imports one of several found calls. */
  async take(name: RegExp): Promise<void> {
    await this.dialog.getByRole("combobox", { name: "Call" }).click();
    await this.page.getByRole("option", { name }).click();
  }

  async openInConsole(): Promise<void> {
    await this.openButton.click();
    await expect(this.dialog).toBeHidden();
  }
}
