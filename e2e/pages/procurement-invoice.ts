import { expect, type Locator, type Page } from "@playwright/test";

type Field = "Description" | "Sellable ID" | "Quantity" | "Unit price";

/** The invoice of a procurement: its lines, and what comparing them with the order said. Lines count from 1. */
export class ProcurementInvoice {
  readonly page: Page;
  readonly #table: Locator;

  constructor(page: Page) {
    this.page = page;
    this.#table = page.getByRole("table", { name: "Lines of the invoice" });
  }

  field(field: Field, line: number): Locator {
    return this.#table.getByRole("textbox", { name: `${field} of line ${line}`, exact: true });
  }

  async expectLines(count: number): Promise<void> {
    await expect(this.#table.getByRole("textbox", { name: /^Description of line/ })).toHaveCount(count);
  }

  async fill(field: Field, line: number, text: string): Promise<void> {
    await this.field(field, line).fill(text);
  }

  async remove(line: number): Promise<void> {
    await this.#table.getByRole("button", { name: `Remove line ${line}`, exact: true }).click();
  }

  /** Adds a line after the others, with the focus where it is written. */
  async add(line: number, texts: Partial<Record<Field, string>>): Promise<void> {
    await this.#table.getByRole("button", { name: "Add line" }).click();
    await expect(this.field("Description", line)).toBeFocused();
    for (const [field, text] of Object.entries(texts)) await this.fill(field as Field, line, text);
  }

  /** Puts an ordered item that is missing on the invoice. */
  async addMissing(description: string): Promise<void> {
    await this.#table.getByRole("button", { name: `Add ${description}` }).click();
  }

  async reconcile(): Promise<void> {
    await this.page.getByRole("button", { name: /^Compare/ }).click();
  }

  async backToOrder(): Promise<void> {
    await this.page.getByRole("button", { name: "Reset to the order" }).click();
  }

  /** What it came to: "1 matched, 1 price difference". */
  async expectResult(words: string): Promise<void> {
    await expect(this.page.getByRole("status").filter({ hasText: words })).toBeVisible();
  }

  async expectVerdict(line: number, words: string | RegExp): Promise<void> {
    await expect(this.#table.getByRole("row", { name: new RegExp(`^Line ${line}: `) })).toContainText(words);
  }

  async expectMissing(description: string): Promise<void> {
    await expect(this.#table.getByRole("row").filter({ hasText: `missing ${description}` })).toBeVisible();
  }

  async expectTotals(ordered: string, invoiced: string): Promise<void> {
    await expect(this.#table.getByRole("row", { name: /^Ordered/ })).toContainText(ordered);
    await expect(this.#table.getByRole("row", { name: /^Invoiced NZD/ })).toContainText(invoiced);
  }

  async expectRefused(status: number, words: string): Promise<void> {
    const refusal = this.page.getByRole("alert").filter({ hasText: String(status) });
    await expect(refusal).toContainText(words);
  }
}
