import { expect, type Locator, type Page } from "@playwright/test";
import { JobFormPage } from "./job-form-page.ts";
import { beginsWith, escaped } from "./patterns.ts";

/** The tabs of a job. */
type JobTab = "Overview" | "Parts" | "Basket" | "Orders" | "Trace" | "JSON";

/** The place Jobs: the list, a job with its tabs, parts, the basket and placing. */
export class JobsPage extends JobFormPage {
  readonly list: Locator;
  readonly search: Locator;
  readonly basket: Locator;

  constructor(page: Page) {
    super(page);
    // A table, or a list beside an open job.
    this.list = page.getByRole("table", { name: "Jobs" }).or(page.getByRole("list", { name: "Jobs" }));
    this.search = page.getByRole("searchbox", { name: "Search jobs" });
    this.basket = page.getByRole("grid", { name: /^Offers/ });
  }

  /** Opens the place through the rail. */
  async goto(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Jobs/ }).click();
    await this.page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  }

  /** A job in the list, by any shown text such as its number or plate. */
  row(text: string): Locator {
    return this.list.getByRole("row").or(this.list.getByRole("listitem")).filter({ hasText: text });
  }

  /** Searches for a job and opens it. */
  async open(text: string): Promise<void> {
    await this.search.fill(text);
    // Retries, because rows move while the list is filtered, and a click may miss.
    await expect(async () => {
      await this.row(text).first().click();
      await expect(this.job).toBeVisible({ timeout: 3_000 });
    }).toPass();
  }

  /** Filters by a state, a site or an insurer. */
  async narrowTo(name: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Filter by/ }).click();
    await this.page.getByRole("menuitemradio", { name, exact: true }).click();
  }

  /** Filters by insertion between two local times, in the browser field's format; empty means open. */
  async narrowToInserted(from: string, before: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Filter by/ }).click();
    await this.page.getByRole("menuitem", { name: "Between…" }).click();
    const dialog = this.page.getByRole("dialog", { name: "Jobs inserted between" });
    await dialog.getByLabel("From").fill(from);
    await dialog.getByLabel("Before").fill(before);
    await dialog.getByRole("button", { name: "Filter jobs" }).click();
    await expect(dialog).toBeHidden();
  }

  /** Removes a filter. */
  async widen(name: string): Promise<void> {
    await this.page.getByRole("button", { name: new RegExp(`not only ${escaped(name)}$`) }).click();
  }

  /** Returns from the open job to the list. */
  async backToAll(): Promise<void> {
    await this.page.getByRole("link", { name: /^All jobs/ }).click();
    await this.page.getByRole("table", { name: "Jobs" }).waitFor();
  }

  /** Expects a text in the list's first row. */
  async expectFirst(text: string): Promise<void> {
    await expect(this.list.getByRole("link").first()).toContainText(text);
  }

  /** Expects the announced number of jobs. */
  async expectFound(words: string): Promise<void> {
    await expect(this.page.getByRole("status").filter({ hasText: words })).toBeAttached();
  }

  async show(tab: JobTab): Promise<void> {
    await this.job.getByRole("tab", { name: beginsWith(tab) }).click();
    await this.job.getByRole("tabpanel", { name: beginsWith(tab) }).waitFor();
  }

  /** Expects the number beside a tab's name. */
  async expectTabCount(tab: JobTab, count: number): Promise<void> {
    await this.job.getByRole("tab", { name: new RegExp(`^${tab} ${count} `) }).waitFor();
  }

  /** The calls in the tab Trace. */
  get traces(): Locator {
    return this.job.getByRole("list", { name: /^Calls about/ }).getByRole("listitem");
  }

  /** Inserts parts as a pasted list: `["Bonnet", "12 x Retaining clip set; M6"]`. */
  async addParts(lines: readonly string[]): Promise<void> {
    await this.pasteParts(lines);
    await this.job.getByRole("button", { name: /^Insert [\d,]+ parts?/ }).click();
    await this.job.getByText("Parts inserted.").waitFor();
  }

  /** Pastes the list without sending it. */
  async pasteParts(lines: readonly string[]): Promise<void> {
    await this.show("Parts");
    const text = this.job.getByRole("textbox", { name: "One part per line" });
    if (!(await text.isVisible())) await this.job.getByRole("button", { name: /^Add parts/ }).click();
    await text.fill(lines.join("\n"));
  }

  /** A part's row in the table. */
  part(description: string): Locator {
    return this.job
      .getByRole("table", { name: /^Parts/ })
      .getByRole("row")
      .filter({ hasText: description });
  }

  /** A supplier's offer for a part; an offer for several parts is found by any of them. */
  offer(part: string, supplier: string): Locator {
    return this.basket.getByRole("radio", { name: new RegExp(`${escaped(part)}.*, ${escaped(supplier)}: `) });
  }

  /** Chooses an offer, replacing conflicting ones. */
  async choose(part: string, supplier: string): Promise<void> {
    await this.show("Basket");
    await this.offer(part, supplier).click();
    await expect(this.offer(part, supplier)).toBeChecked();
  }

  async chooseCheapest(): Promise<void> {
    await this.show("Basket");
    await this.job.getByRole("button", { name: "Choose cheapest" }).click();
  }

  async chooseBestCondition(): Promise<void> {
    await this.show("Basket");
    await this.job.getByRole("button", { name: "Choose best condition" }).click();
  }

  /** Chooses all visible offers of a supplier. */
  async chooseAllOf(supplier: string): Promise<void> {
    await this.show("Basket");
    const offers = this.basket.getByRole("radio", { name: new RegExp(`, ${escaped(supplier)}: `) });
    await offers.first().waitFor();
    for (const offer of await offers.all()) await offer.click();
  }

  async clearChoice(): Promise<void> {
    await this.job.getByRole("button", { name: "Clear", exact: true }).click();
  }

  /** "7 of 8 parts chosen". */
  async expectChosen(parts: number, of: number): Promise<void> {
    await this.basket.getByText(`${parts} of ${of} parts`).waitFor();
  }

  /** The panel below the offers: details of the focused offer, and placing the chosen ones. */
  get placing(): Locator {
    return this.job.getByRole("region", { name: "Place orders" });
  }

  /** Returns the number of parts that are completely visible, not covered by sticky elements. */
  partsInSight(): Promise<number> {
    return this.basket.evaluate(
      (table) =>
        [...table.querySelectorAll("tbody th")].filter((head) => {
          const { left, top, bottom } = head.getBoundingClientRect();
          return [top + 2, bottom - 2].every((y) => head.contains(document.elementFromPoint(left + 4, y)));
        }).length,
    );
  }

  /** Expects the focused offer to be clear of sticky elements. */
  async expectFocusedOfferInSight(): Promise<void> {
    const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const focused = await box(this.basket.locator("[data-offer]:focus"));
    const [corner, bottom] = [await box(this.basket.locator("thead th").first()), await box(this.placing)];
    expect(focused.x).toBeGreaterThanOrEqual(corner.x + corner.width - 1);
    expect(focused.y).toBeGreaterThanOrEqual(corner.y + corner.height - 1);
    expect(focused.y + focused.height).toBeLessThanOrEqual(bottom.y + 1);
  }

  /** Expects the announced result of placing. */
  async expectWillPlace(orders: number, events: number): Promise<void> {
    const bar = this.placing.getByText(`Creates ${orders} order`);
    await expect(bar).toContainText(`and ${events} events`);
  }

  /** Opens the request of placing; close it with Escape or its buttons. */
  async previewPlacing(): Promise<Locator> {
    await this.job.getByRole("button", { name: "Preview" }).click();
    const dialog = this.page.getByRole("dialog", { name: "Request preview" });
    await dialog.waitFor();
    return dialog;
  }

  /** Places the chosen offers and returns the new references; the job's orders are shown afterwards. */
  async placeOrders(): Promise<string[]> {
    await this.job.getByRole("button", { name: /^Place [\d,]+ orders?/ }).click();
    const orders = this.job.getByRole("table", { name: /^Orders/ });
    await orders.waitFor();
    return orders.getByRole("link").filter({ hasNotText: "Confirm" }).allInnerTexts();
  }
}
