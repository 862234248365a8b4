import { expect, type Locator, type Page } from "@playwright/test";

/** A link that starts with this reference, but not with a longer one. */
export const referencePattern = (reference: string): RegExp => new RegExp(`^${reference}(?![\\w-])`);

type Status = "order_requested" | "order_confirmed" | "cancelled";

/** The board of the place Orders: a column for each state, a card for each order. */
export class ProcurementsBoard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  column(status: Status): Locator {
    return this.page.getByRole("region", { name: new RegExp(`^${status} `) });
  }

  card(status: Status, reference: string): Locator {
    return this.column(status)
      .getByRole("list")
      .getByRole("link", { name: referencePattern(reference) });
  }

  /** Expects the number in a column's heading. */
  async expectCount(status: Status, count: number): Promise<void> {
    await this.column(status)
      .getByRole("heading", { name: `${status} ${count}`, exact: true })
      .waitFor();
  }

  async open(status: Status, reference: string): Promise<void> {
    await this.card(status, reference).click();
    await expect(this.page.getByRole("heading", { level: 2, name: reference })).toBeFocused();
  }

  /** Closes the open order and shows the board. */
  async back(): Promise<void> {
    await this.page.getByRole("link", { name: "Board" }).click();
    await this.page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  }

  /** Scrolls a column, loading more pages, until a card is in sight. */
  async scrollTo(status: Status, reference: string): Promise<void> {
    const list = this.column(status).getByRole("list").locator("xpath=..");
    const card = this.card(status, reference);
    await expect(async () => {
      await list.evaluate((element) => element.scrollBy(0, element.clientHeight));
      expect(await card.count()).toBe(1);
    }).toPass({ intervals: [50] });
    await card.scrollIntoViewIfNeeded();
  }

  async topOf(status: Status, reference: string): Promise<number> {
    const box = await this.card(status, reference).boundingBox();
    return Math.round(box?.y ?? Number.NaN);
  }
}
