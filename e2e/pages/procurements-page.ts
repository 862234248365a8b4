import { expect, type Locator, type Page } from "@playwright/test";
import { referencePattern } from "./procurements-board.ts";

type Status = "order_requested" | "order_confirmed" | "cancelled";
type View = "Fields" | "JSON" | "History";

/** The response to a call that changes nothing. */
interface ExpectedResponse {
  readonly status: number;
  /** The error code, or "ok". */
  readonly code: string;
}

/** The place Orders: the list by state, and one order from both sides. Its board has a separate page object. */
export class ProcurementsPage {
  readonly page: Page;
  readonly list: Locator;
  /** The open order. */
  readonly detail: Locator;
  readonly next: Locator;
  readonly #fields: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "Orders", exact: true });
    this.detail = page.getByRole("article", { name: /^Order \S/ });
    this.next = page.getByRole("complementary", { name: "Next steps" });
    this.#fields = page.getByRole("table", { name: "The order as its buyer and its supplier see it" });
  }

  /** Opens the place through the rail. */
  async goto(): Promise<void> {
    const places = this.page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: /^Orders/ }).click();
    await this.page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole("searchbox", { name: "Search orders" }).fill(text);
  }

  /** Opens an order by its reference, anywhere in the list. */
  async open(reference: string): Promise<void> {
    await this.search(reference);
    // Waits for the filtered list, whose rows no longer move.
    await expect(this.list.getByRole("link")).toHaveCount(1);
    await this.list.getByRole("link", { name: referencePattern(reference) }).click();
    await this.expectOpen(reference);
    // A narrow window shows the open order instead of the list.
    if (await this.list.isVisible()) await this.search("");
  }

  /** Switches between the list and the board. */
  async showAs(view: "List" | "Board"): Promise<void> {
    await this.page.getByRole("radiogroup", { name: "Show as" }).getByRole("radio", { name: view }).click();
  }

  /** Filters by a site or a supplier. */
  async narrowTo(name: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Filter by/ }).click();
    await this.page.getByRole("menuitemradio", { name, exact: true }).click();
  }

  /** Removes a filter. */
  async widen(name: string): Promise<void> {
    await this.page.getByRole("button", { name: new RegExp(`not only ${name}$`) }).click();
  }

  /** Filters the list by a state. */
  async showOnly(state: "All" | "requested" | "confirmed" | "cancelled"): Promise<void> {
    await this.page
      .getByRole("radiogroup", { name: "State" })
      .getByRole("radio", { name: new RegExp(`^${state}`) })
      .click();
  }

  async expectListed(reference: string): Promise<void> {
    await this.list.getByRole("link", { name: referencePattern(reference) }).waitFor();
  }

  /** Expects the mark of a supplier without a key; a known key has none. */
  async expectKeyMark(reference: string, held: boolean): Promise<void> {
    const row = this.list.getByRole("link", { name: referencePattern(reference) });
    await row.waitFor();
    await expect(row.getByText(/no key/)).toHaveCount(held ? 0 : 1);
  }

  async expectNotListed(reference: string): Promise<void> {
    await expect(this.list.getByRole("link", { name: referencePattern(reference) })).toHaveCount(0);
  }

  /** Scrolls the list to a row, and returns its distance from the window's top. */
  async scrollTo(reference: string): Promise<number> {
    const scroller = this.list.locator("xpath=..");
    const row = this.list.getByRole("link", { name: referencePattern(reference) });
    await expect(async () => {
      await scroller.evaluate((element) => element.scrollBy(0, 200));
      await expect(row).toBeInViewport({ timeout: 100 });
    }).toPass({ intervals: [50] });
    return this.topOf(reference);
  }

  async topOf(reference: string): Promise<number> {
    const box = await this.list.getByRole("link", { name: referencePattern(reference) }).boundingBox();
    return Math.round(box?.y ?? Number.NaN);
  }

  /** Expects the filter's number of orders in each state. */
  async expectCounts(requested: number, confirmed: number, cancelled: number): Promise<void> {
    const states = this.page.getByRole("radiogroup", { name: "State" });
    for (const [state, count] of Object.entries({ requested, confirmed, cancelled }))
      await states.getByRole("radio", { name: `${state} ${count}`, exact: true }).waitFor();
  }

  /** Expects the empty state of a search. */
  async expectNothingMatches(search: string): Promise<void> {
    await this.page.getByText(`No order matches “${search}”`).waitFor();
  }

  async expectOpen(reference: string): Promise<void> {
    await this.detail.getByRole("heading", { level: 2, name: reference }).waitFor();
  }

  /** Expects the order's state in the heading and on both sides. */
  async expectState(status: Status): Promise<void> {
    await this.detail.locator("header").first().getByText(status, { exact: true }).waitFor();
  }

  async show(view: View): Promise<void> {
    await this.detail.getByRole("radio", { name: view }).click();
  }

  /** Expands every source and offered item. */
  async openItems(): Promise<void> {
    await this.detail.getByRole("button", { name: "Open all items" }).click();
  }

  /** Expects untruncated column headings. */
  async expectWholeHeads(): Promise<void> {
    const heads = this.#fields.getByRole("columnheader", { name: / sees / });
    await expect(heads).toHaveCount(2);
    const cut = await heads.evaluateAll((cells) =>
      cells
        .flatMap((cell) => [cell, ...cell.querySelectorAll("div, span")])
        .filter((part) => part.scrollWidth > part.clientWidth && getComputedStyle(part).overflowX !== "visible")
        .map((part) => part.textContent),
    );
    expect(cut).toEqual([]);
  }

  /** A row of the comparison; `nth` selects one of several items. */
  line(field: string, nth = 0): Locator {
    return this.#fields
      .getByRole("row")
      .filter({ has: this.page.getByRole("rowheader", { name: field, exact: true }) })
      .nth(nth);
  }

  async expectOnlyFor(side: "buyer" | "supplier", field: string): Promise<void> {
    await this.line(field).getByText(`only ${side}`).waitFor();
  }

  /** Expects "confirm will set …" on both sides. */
  async expectPrediction(field: string, words: string | RegExp): Promise<void> {
    const shown = this.line(field).getByText(/^confirm will set/);
    await expect(shown).toHaveCount(2);
    for (const side of await shown.all()) await expect(side).toContainText(words);
  }

  /** Expects the last transition's change of a field, with its previous value. */
  async expectChanged(field: string, was: string): Promise<void> {
    await this.line(field).getByText(`was ${was}`).first().waitFor();
  }

  /** Expects the message that the sandbox has no key of an organization, with an offer to install one. */
  async expectNoKeyOf(organization: string): Promise<void> {
    await this.detail.getByText(`No key for ${organization}`).waitFor();
    await this.detail.getByRole("table").getByRole("link", { name: "Install an integration" }).waitFor();
  }

  /** The preview of the request of "Confirm order". */
  get confirmRequest(): Locator {
    return this.next.getByRole("region", { name: /^Confirm as/ });
  }

  async confirmAsSupplier(): Promise<void> {
    await this.next.getByRole("button", { name: /^Confirm order/ }).click();
    await this.#confirmAnswered();
  }

  async confirmWithKeyboard(): Promise<void> {
    const send = this.next.getByRole("button", { name: /^Confirm order/ });
    await expect(send).toBeEnabled();
    await send.focus();
    await this.page.keyboard.press("ControlOrMeta+Enter");
    await this.#confirmAnswered();
  }

  async #confirmAnswered(): Promise<void> {
    const confirmation = this.next.getByRole("region", { name: "Confirmation" });
    await confirmation.getByRole("heading", { name: /^Confirmed by/ }).waitFor();
    await confirmation.getByText("200", { exact: true }).first().waitFor();
  }

  /** Waits until both sides' deliveries have this state, each with a link. */
  async expectDeliveries(state: "delivered" | "pending" | "failed", count = 2): Promise<void> {
    const confirmation = this.next.getByRole("region", { name: "Confirmation" });
    await expect(confirmation.getByText(state, { exact: true })).toHaveCount(count);
    await expect(confirmation.getByRole("link", { name: "Open delivery" })).toHaveCount(count);
  }

  async expectNotConfirmable(): Promise<void> {
    await expect(this.next.getByRole("button", { name: /^Confirm order/ })).toHaveCount(0);
  }

  /** Sends a call that should change nothing, and expects the predicted response. */
  async expectAnswer(expected: ExpectedResponse): Promise<void> {
    const step = this.refusedCall(expected);
    await step.getByRole("button", { name: /^Send ?:/ }).click();
    await expect(step).toContainText("as expected");
    if (expected.status >= 400) await expect(step.getByRole("note", { name: "Why it failed" })).toBeVisible();
  }

  /** Opens the preview of a cancellation by a side; nothing is sent yet. */
  async previewCancel(side: "Buyer" | "Supplier", name: string): Promise<Locator> {
    const cancel = this.next.getByRole("region", { name: /^Cancel as/ });
    await cancel.getByRole("button", { name: "Preview" }).click();
    await cancel.getByRole("radio", { name: `As ${name}` }).click();
    await expect(cancel.getByRole("radio", { name: `As ${name}` }), side).toBeChecked();
    return cancel;
  }

  async sendCancel(): Promise<void> {
    await this.next.getByRole("button", { name: "Cancel order" }).click();
  }

  /** Expects the caller of the last transition in the panel. */
  async expectMovedBy(words: string): Promise<void> {
    await this.next.getByRole("heading", { name: words }).waitFor();
  }

  /** A call that would change nothing now, by its predicted response. */
  refusedCall({ status, code }: ExpectedResponse): Locator {
    return this.next.getByRole("listitem").filter({ hasText: `${status} ${code}` });
  }

  /** Every state of the order and every call about it, newest first. */
  get history(): Locator {
    return this.detail.getByRole("list", { name: "History, newest first" });
  }

  /** Expects entries of the history, newest first. */
  async expectHistory(...lines: readonly (string | RegExp)[]): Promise<void> {
    await this.show("History");
    const entries = this.history.locator("> li");
    for (const [index, line] of lines.entries()) await expect(entries.nth(index)).toContainText(line);
    await expect(entries).toHaveCount(lines.length);
  }

  /** Expects the open trace of the newest transition, with this many events. */
  async expectTrace(operation: string, events: number): Promise<void> {
    await this.show("History");
    await this.history.getByRole("button", { name: operation }).first().waitFor();
    const chain = this.history.getByRole("list", { name: "Trace" }).first();
    await chain.getByRole("heading", { name: `${events} ${events === 1 ? "event" : "events"}` }).waitFor();
  }
}
