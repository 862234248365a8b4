import { expect, type Locator, type Page } from "@playwright/test";
import { escaped } from "./patterns.ts";

/** A file on the disk or in the clipboard. */
interface PictureFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A one-pixel picture, padded to a size in bytes. */
export const picture = (name: string, size = 0): PictureFile => {
  const dot = Buffer.from(PNG, "base64");
  return { name, type: "image/png", bytes: Buffer.concat([dot, Buffer.alloc(Math.max(0, size - dot.length))]) };
};

/** A job's pictures, on its overview or in its form. */
export class JobPictures {
  readonly page: Page;
  /** The open job or the dialog. */
  readonly within: Locator;
  /** Pending and failed uploads. */
  readonly uploads: Locator;

  constructor(page: Page, within: Locator) {
    this.page = page;
    this.within = within;
    this.uploads = within.getByRole("list", { name: "Uploads" }).getByRole("listitem");
  }

  /** Uploaded pictures. */
  get tiles(): Locator {
    return this.within.getByRole("list", { name: /^Pictures/ }).getByRole("listitem");
  }

  async choose(...files: readonly PictureFile[]): Promise<void> {
    await this.within
      .getByLabel("Pictures to add")
      .setInputFiles(files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes })));
  }

  async drop(...files: readonly PictureFile[]): Promise<void> {
    const dataTransfer = await this.#carrying(files);
    const target = this.within.getByText(/^(Pictures|images)$/).first();
    for (const event of ["dragenter", "dragover", "drop"]) await target.dispatchEvent(event, { dataTransfer });
  }

  async paste(...files: readonly PictureFile[]): Promise<void> {
    const clipboardData = await this.#carrying(files);
    await this.page.evaluate((data) => {
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, clipboardData);
  }

  #carrying(files: readonly PictureFile[]) {
    const plain = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString("base64") }));
    return this.page.evaluateHandle((given) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of given)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }));
      return transfer;
    }, plain);
  }

  async expectNames(...names: readonly string[]): Promise<void> {
    // An uploaded picture is a button with an accessible name.
    await expect(this.tiles).toHaveText(names.map((name) => new RegExp(`^(Open picture )?${escaped(name)}$`)));
  }

  /** Progress of an upload. */
  progress(name: string): Locator {
    return this.within.getByRole("progressbar", { name: `Uploading ${name}` });
  }

  async stop(name: string): Promise<void> {
    await this.within.getByRole("button", { name: new RegExp(`^Cancel .*${escaped(name)}$`) }).click();
  }

  async remove(name: string): Promise<void> {
    await this.tiles.filter({ hasText: name }).first().hover();
    await this.within
      .getByRole("button", { name: `Remove ${name}` })
      .first()
      .click();
  }

  /** Expects a failed upload with the service's status. */
  async expectRefused(name: string, status: number): Promise<void> {
    await expect(this.uploads.filter({ hasText: name })).toContainText(String(status));
  }
}
