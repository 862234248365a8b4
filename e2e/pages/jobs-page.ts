import { expect, type Locator, type Page } from "@playwright/test";
import { JobFormPage } from "./job-form-page.ts";
import { beginsWith, escaped } from "./patterns.ts";

/** The tabs of a job. */
export type JobTab = "Overview" | "Parts" | "Basket" | "Orders" | "Trace" | "JSON";

/** The place Jobs: the list, a job with its tabs, parts, the basket and placing. */
export class JobsPage extends JobFormPage {
  readonly list: Locator;
  readonly search: Locator;
  readonly basket: Locator;

  constructor(page: Page) {
    super(page);
    // All of them as a table; beside the one that is open as a list.
    this.list = page.getByRole("table", { name: "Jobs" }).or(page.getByRole("list", { name: "Jobs" }));
    this.search = page.getByRole("searchbox", { name: "Search jobs" });
    this.basket = page.getByRole("grid", { name: "Offers: parts down, suppliers across" });
  }

  /** Goes to the place through the rail. */
  async goto(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Jobs/ }).click();
    await this.page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
  }

  /** A job's line in the list, by its number, plate or anything else it shows. */
  row(text: string): Locator {
    return this.list.getByRole("row").or(this.list.getByRole("listitem")).filter({ hasText: text });
  }

  /** Searches for a job and opens it. */
  async open(text: string): Promise<void> {
    await this.search.fill(text);
    // Rows move while the list narrows to what was typed, and a click may meet none of them.
    await expect(async () => {
      await this.row(text).first().click();
      await expect(this.job).toBeVisible({ timeout: 3_000 });
    }).toPass();
  }

  /** Leaves only the jobs of a state, a site or an insurer. */
  async narrowTo(name: string): Promise<void> {
    await this.page.getByRole("button", { name: "Filter by state, repairer, site, insurer and inserted" }).click();
    await this.page.getByRole("menuitemradio", { name, exact: true }).click();
  }

  /** Leaves only the jobs inserted between two local times, as the browser's field has them; empty leaves one open. */
  async narrowToInserted(from: string, before: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Filter by state/ }).click();
    await this.page.getByRole("menuitem", { name: "Between…" }).click();
    const dialog = this.page.getByRole("dialog", { name: "Jobs inserted between" });
    await dialog.getByLabel("From").fill(from);
    await dialog.getByLabel("Before").fill(before);
    await dialog.getByRole("button", { name: "Filter jobs" }).click();
    await expect(dialog).toBeHidden();
  }

  /** Undoes what the list was narrowed to. */
  async widen(name: string): Promise<void> {
    await this.page.getByRole("button", { name: new RegExp(`not only ${escaped(name)}$`) }).click();
  }

  /** From the job that is open back to all of them. */
  async backToAll(): Promise<void> {
    await this.page.getByRole("link", { name: "All jobs as a table" }).click();
    await this.page.getByRole("table", { name: "Jobs" }).waitFor();
  }

  /** What the list's first row is known by. */
  async expectFirst(text: string): Promise<void> {
    await expect(this.list.getByRole("link").first()).toContainText(text);
  }

  /** How many jobs the filter leaves, as it is said to whoever does not see the list. */
  async expectFound(words: string): Promise<void> {
    await expect(this.page.getByRole("status").filter({ hasText: words })).toBeAttached();
  }

  async show(tab: JobTab): Promise<void> {
    await this.job.getByRole("tab", { name: beginsWith(tab) }).click();
    await this.job.getByRole("tabpanel", { name: beginsWith(tab) }).waitFor();
  }

  /** The number beside a tab's name. */
  async expectTabCount(tab: JobTab, count: number): Promise<void> {
    await this.job.getByRole("tab", { name: new RegExp(`^${tab} ${count} `) }).waitFor();
  }

  /** The exchanges that the tab Trace lists. */
  get traces(): Locator {
    return this.job.getByRole("list", { name: "Calls about this job" }).getByRole("listitem");
  }

  // Parts

  /** Inserts parts as a pasted list: `["Bonnet", "12 x Retaining clip set; M6"]`. */
  async addParts(lines: readonly string[]): Promise<void> {
    await this.pasteParts(lines);
    await this.job.getByRole("button", { name: /^Insert [\d,]+ parts?/ }).click();
    await this.job.getByText("Parts inserted.").waitFor();
  }

  /** Pastes the list and stops before it is sent. */
  async pasteParts(lines: readonly string[]): Promise<void> {
    await this.show("Parts");
    const text = this.job.getByRole("textbox", { name: "One part per line" });
    if (!(await text.isVisible())) await this.job.getByRole("button", { name: /^Add parts/ }).click();
    await text.fill(lines.join("\n"));
  }

  /** A part's line in the table. */
  part(description: string): Locator {
    return this.job
      .getByRole("table", { name: /^Parts of this job/ })
      .getByRole("row")
      .filter({ hasText: description });
  }

  // Basket

  /** A supplier's offer for a part; an offer for several parts is found by any of them. */
  offer(part: string, supplier: string): Locator {
    return this.basket.getByRole("radio", { name: new RegExp(`${escaped(part)}.*, ${escaped(supplier)}: `) });
  }

  /** Chooses one offer, instead of what it conflicts with. */
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

  /** Chooses everything of one supplier that is in sight. */
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
    await this.basket.getByText(`${parts} of ${of} parts chosen`).waitFor();
  }

  /** What is below the offers: what the offer in hand is, and placing what was chosen. */
  get placing(): Locator {
    return this.job.getByRole("region", { name: "Place orders" });
  }

  /** How many of the basket's parts are wholly in sight, beneath no head and no foot. */
  partsInSight(): Promise<number> {
    return this.basket.evaluate(
      (table) =>
        [...table.querySelectorAll("tbody th")].filter((head) => {
          const { left, top, bottom } = head.getBoundingClientRect();
          return [top + 2, bottom - 2].every((y) => head.contains(document.elementFromPoint(left + 4, y)));
        }).length,
    );
  }

  /** That the offer which has the focus lies clear of the heads and the column that stand still. */
  async expectFocusedOfferInSight(): Promise<void> {
    const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const focused = await box(this.basket.locator("[data-offer]:focus"));
    const [corner, bottom] = [await box(this.basket.locator("thead th").first()), await box(this.placing)];
    expect(focused.x).toBeGreaterThanOrEqual(corner.x + corner.width - 1);
    expect(focused.y).toBeGreaterThanOrEqual(corner.y + corner.height - 1);
    expect(focused.y + focused.height).toBeLessThanOrEqual(bottom.y + 1);
  }

  /** What the bar says placing will make. */
  async expectWillPlace(orders: number, events: number): Promise<void> {
    const bar = this.placing.getByText(`Creates ${orders} order`);
    await expect(bar).toContainText(`and ${events} events`);
  }

  /** Opens the request that placing will send; close it with Escape or its buttons. */
  async previewPlacing(): Promise<Locator> {
    await this.job.getByRole("button", { name: "Preview" }).click();
    const dialog = this.page.getByRole("dialog", { name: "Request preview" });
    await dialog.waitFor();
    return dialog;
  }

  /** Places the chosen offers and answers the references of what was made: the job's orders are shown then. */
  async placeOrders(): Promise<string[]> {
    await this.job.getByRole("button", { name: /^Place [\d,]+ orders?/ }).click();
    const orders = this.job.getByRole("table", { name: "Orders of this job" });
    await orders.waitFor();
    return orders.getByRole("link").filter({ hasNotText: "Confirm" }).allInnerTexts();
  }
}
