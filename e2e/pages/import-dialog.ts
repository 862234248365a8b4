import { expect, type Locator, type Page } from "@playwright/test";

/** The dialog that takes a call out of what another program wrote. */
export class ImportDialog {
  readonly page: Page;
  readonly dialog: Locator;
  /** As what the text was read. */
  readonly read: Locator;
  readonly understood: Locator;
  readonly leftOut: Locator;
  readonly openButton: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name: "Import a call" });
    this.read = this.dialog.getByText(/^Read as /);
    this.understood = this.dialog.getByRole("region", { name: "Understood", exact: true });
    this.leftOut = this.dialog.getByRole("region", { name: "Not imported" });
    this.openButton = this.dialog.getByRole("button", { name: "Open in Console" });
  }

  /** From the Console. */
  async open(): Promise<void> {
    await this.page.getByRole("button", { name: /^Import a call/ }).click();
    await expect(this.dialog.getByRole("textbox")).toBeVisible();
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

  /** One of several that were found. */
  call(name: RegExp): Locator {
    return this.dialog.getByRole("radio", { name });
  }

  async openInConsole(): Promise<void> {
    await this.openButton.click();
    await expect(this.dialog).toBeHidden();
  }
}
