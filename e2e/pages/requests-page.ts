import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";

/** The place Requests: every call, and one with its cause and its consequences. */
export class RequestsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly chips: Locator;
  /** The open call. */
  readonly call: Locator;
  readonly refusal: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "Requests", exact: true });
    this.chips = page.getByRole("group", { name: "Filter calls" });
    this.call = page.getByRole("article");
    this.refusal = this.call.getByRole("region", { name: "Why it was refused" });
    this.dialog = page.getByRole("dialog");
  }

  async goto(): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: /^Requests/ })
      .click();
    await this.page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  }

  rows(...texts: readonly string[]): Locator {
    return texts.reduce((rows, text) => rows.filter({ hasText: text }), this.list.getByRole("link"));
  }

  async open(...texts: readonly string[]): Promise<void> {
    await this.rows(...texts)
      .first()
      .click();
    await this.call.waitFor();
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole("searchbox", { name: "Search calls" }).fill(text);
  }

  async narrow(chip: string, choice: string): Promise<void> {
    await this.chips.getByRole("combobox", { name: chip, exact: true }).click();
    await this.page.getByRole("option", { name: choice, exact: true }).click();
  }

  async show(tab: "Body" | "Headers" | "Response" | "Trace" | "Compare"): Promise<void> {
    await this.call.getByRole("tab", { name: tab }).click();
  }

  act(name: string): Promise<void> {
    return this.call.getByRole("button", { name, exact: false }).first().click();
  }

  /** Saves the export of the open dialog; returns the file's text. */
  async save(): Promise<string> {
    const download = this.page.waitForEvent("download");
    await this.dialog.getByRole("button", { name: "Save" }).click();
    return readFile(await (await download).path(), "utf8");
  }

  /** Returns the text copied for a ticket. */
  async ticket(): Promise<string> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await this.page.evaluate(() => navigator.clipboard.writeText(""));
    await this.act("Ticket in Markdown");
    const copied = () => this.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).not.toBe("");
    return copied();
  }
}
