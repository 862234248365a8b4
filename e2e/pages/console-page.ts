import { expect, type Locator, type Page } from "@playwright/test";
import type { Cause } from "../../sandbox/contract/causes.ts";
import { causeText } from "./patterns.ts";

/** The place Console: every operation, and one to call with any credential. */
export class ConsolePage {
  readonly page: Page;
  readonly list: Locator;
  /** The open operation. */
  readonly operation: Locator;
  readonly form: Locator;
  readonly json: Locator;
  /** The body's text editor. */
  readonly editor: Locator;
  readonly response: Locator;
  /** The errors that can be reproduced for the operation. */
  readonly errors: Locator;
  readonly code: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "Operations" });
    this.operation = page.getByRole("article");
    this.form = this.operation.getByRole("region", { name: "Form", exact: true });
    this.json = this.operation.getByRole("region", { name: "JSON", exact: true });
    this.editor = this.json.getByRole("textbox", { name: "Body, JSON" });
    this.response = this.operation.getByRole("region", { name: "Response", exact: true });
    this.errors = this.operation.getByRole("region", { name: "Possible errors" });
    this.code = this.operation.getByRole("region", { name: "The call as code" });
  }

  async goto(): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: /^Console/ })
      .click();
    await this.page.getByRole("heading", { level: 1, name: "Console" }).waitFor();
  }

  /** Opens an operation by its name in the API. */
  async open(operation: string): Promise<void> {
    await this.list.getByRole("link", { name: operation }).first().click();
    await expect(this.page).toHaveURL(new RegExp(`/console/${operation.replaceAll(".", "\\.")}(\\?|$)`));
    await this.operation.waitFor();
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole("searchbox", { name: "Search the operations" }).fill(text);
  }

  async actAs(kind: "Credential" | "None" | "Invalid"): Promise<void> {
    await this.operation.getByRole("radiogroup", { name: "Send as" }).getByRole("radio", { name: kind }).click();
  }

  async write(body: unknown): Promise<void> {
    // Uses the editor's own shortcut: a selection made by the page may arrive after the text.
    await this.editor.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(typeof body === "string" ? body : JSON.stringify(body, null, 2));
  }

  /** Parses the text as JSON; undefined when invalid, such as before the editor has loaded. */
  async body(): Promise<Record<string, unknown> | undefined> {
    const lines = await this.editor.locator(".cm-line").allTextContents();
    try {
      return JSON.parse(lines.join("\n")) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  }

  field(label: string): Locator {
    // Excludes radio buttons that choose between fields, which have the same labels.
    return this.form.getByLabel(label, { exact: true }).and(this.form.locator(":not([type=radio])"));
  }

  async send(): Promise<void> {
    await this.operation.getByRole("button", { name: "Send", exact: false }).click();
  }

  /** A reproducible error of the operation. */
  error(cause: Cause): Locator {
    return this.errors.getByRole("listitem").filter({ hasText: causeText(cause) });
  }

  async reproduce(cause: Cause): Promise<void> {
    await this.error(cause)
      .getByRole("button", { name: /^Reproduce/ })
      .click();
  }

  async expectAnswer(status: number, text?: string | RegExp): Promise<void> {
    await this.response.getByText(String(status), { exact: true }).waitFor();
    if (text !== undefined) await expect(this.response).toContainText(text);
  }
}
