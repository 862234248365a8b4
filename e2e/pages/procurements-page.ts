import { expect, type Locator, type Page } from "@playwright/test";

type Status = "order_requested" | "order_confirmed" | "cancelled";
type View = "Fields" | "JSON" | "Trace";

/** A call of the place that is expected to be refused, or to change nothing. */
interface Answer {
  readonly status: number;
  /** The error code, or "ok". */
  readonly code: string;
}

/** The place Procurements: the list by state, and one procurement from both of its sides. */
export class ProcurementsPage {
  readonly page: Page;
  readonly list: Locator;
  /** The procurement that is open. */
  readonly detail: Locator;
  readonly next: Locator;
  readonly #fields: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "Procurements", exact: true });
    this.detail = page.getByRole("region", { name: /^Procurement \S/ });
    this.next = page.getByRole("complementary", { name: "What may happen next" });
    this.#fields = page.getByRole("table", { name: "The procurement as its buyer and its supplier see it" });
  }

  /** Goes to the place through the rail. */
  async goto(): Promise<void> {
    const places = this.page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: /^Procurements/ }).click();
    await expect(this.page.getByRole("heading", { level: 1, name: "Procurements" })).toBeVisible();
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole("searchbox", { name: "Search procurements" }).fill(text);
  }

  /** Opens a procurement by its reference, wherever in the list it is. */
  async open(reference: string): Promise<void> {
    await this.search(reference);
    await this.list.getByRole("link", { name: reference }).click();
    await this.expectOpen(reference);
    await this.search("");
  }

  /** Leaves only one state in the list. */
  async showOnly(state: "All" | "requested" | "confirmed" | "cancelled"): Promise<void> {
    await this.page
      .getByRole("radiogroup", { name: "State" })
      .getByRole("radio", { name: new RegExp(`^${state}`) })
      .click();
  }

  async expectListed(reference: string): Promise<void> {
    await expect(this.list.getByRole("link", { name: reference })).toBeVisible();
  }

  async expectNothingMatches(): Promise<void> {
    await expect(this.page.getByText("No procurement matches")).toBeVisible();
  }

  async expectOpen(reference: string): Promise<void> {
    await expect(this.detail.getByRole("heading", { level: 2, name: reference })).toBeVisible();
  }

  /** What both sides and the head say its state is. */
  async expectState(status: Status): Promise<void> {
    await expect(this.detail.locator("header").getByText(status, { exact: true })).toBeVisible();
  }

  async show(view: View): Promise<void> {
    await this.detail.getByRole("radio", { name: view }).click();
  }

  /** Opens every source and offered item into its fields. */
  async openItems(): Promise<void> {
    await this.detail.getByRole("button", { name: "Open all items" }).click();
  }

  /** One line of the comparison; `nth` tells fields of several items apart. */
  line(field: string, nth = 0): Locator {
    return this.#fields
      .getByRole("row")
      .filter({ has: this.page.getByRole("rowheader", { name: field, exact: true }) })
      .nth(nth);
  }

  async expectField(field: string, seen: { readonly buyer?: string; readonly supplier?: string }): Promise<void> {
    const cells = this.line(field).getByRole("cell");
    if (seen.buyer !== undefined) await expect(cells.nth(0)).toContainText(seen.buyer);
    if (seen.supplier !== undefined) await expect(cells.nth(1)).toContainText(seen.supplier);
  }

  async expectOnlyFor(side: "buyer" | "supplier", field: string): Promise<void> {
    const other = side === "buyer" ? "supplier" : "buyer";
    await expect(this.line(field).getByText(`only ${side}`)).toBeVisible();
    await expect(this.line(field).getByText(`not in the ${other} view`)).toBeVisible();
  }

  /** "confirm will set …", on both sides. */
  async expectPrediction(field: string, words: string | RegExp): Promise<void> {
    const told = this.line(field).getByText(/^confirm will set/);
    await expect(told).toHaveCount(2);
    for (const side of await told.all()) await expect(side).toContainText(words);
  }

  /** What the last transition made of a field: marked, with what it was before. */
  async expectChanged(field: string, was: string): Promise<void> {
    await expect(this.line(field).getByText(`was ${was}`).first()).toBeVisible();
  }

  /** That the sandbox has no key of an organization, and offers to install one. */
  async expectNoKeyOf(organization: string): Promise<void> {
    await expect(this.detail.getByText(`No key of ${organization} is here`)).toBeVisible();
    await expect(this.detail.getByRole("link", { name: "Install a key" })).toBeVisible();
  }

  /** The request that "Send confirm" will send, as it is shown before. */
  get confirmRequest(): Locator {
    return this.next.getByRole("region", { name: /^Confirm as/ });
  }

  async confirmAsSupplier(): Promise<void> {
    await this.next.getByRole("button", { name: /^Send confirm/ }).click();
    await this.#confirmAnswered();
  }

  async confirmWithKeyboard(): Promise<void> {
    await expect(this.next.getByRole("button", { name: /^Send confirm/ })).toBeEnabled();
    await this.page.keyboard.press("ControlOrMeta+Enter");
    await this.#confirmAnswered();
  }

  async #confirmAnswered(): Promise<void> {
    const answer = this.next.getByRole("region", { name: "The confirm" });
    await expect(answer.getByRole("heading", { name: /^Confirmed by/ })).toBeVisible();
    await expect(answer.getByText("200", { exact: true }).first()).toBeVisible();
  }

  /** Waits until both sides' deliveries stand as said, with a link to each. */
  async expectDeliveries(state: "delivered" | "pending" | "failed", count = 2): Promise<void> {
    const answer = this.next.getByRole("region", { name: "The confirm" });
    await expect(answer.getByText(state, { exact: true })).toHaveCount(count);
    await expect(answer.getByRole("link", { name: "Open", exact: true })).toHaveCount(count);
  }

  async expectNotConfirmable(): Promise<void> {
    await expect(this.next.getByRole("button", { name: /^Send confirm/ })).toHaveCount(0);
  }

  /** Sends a call that should not move it and checks what the service said. */
  async expectTry(title: string | RegExp, { status, code }: Answer): Promise<void> {
    const step = this.next.getByRole("listitem").filter({ hasText: title });
    await step.getByRole("button", { name: /^Try/ }).click();
    const outcome = step.getByRole("status");
    await expect(outcome).toContainText(String(status));
    await expect(outcome).toContainText(code);
    await expect(outcome).toContainText("as expected");
  }

  /** The trace's exchanges, newest first. */
  get exchanges(): Locator {
    return this.detail.getByRole("list", { name: "Exchanges, newest first" });
  }

  /** That the newest mutation's chain is there: what changed, who was told. */
  async expectTrace(operation: string, events: number): Promise<void> {
    await this.show("Trace");
    await expect(this.exchanges.getByRole("button", { name: operation }).first()).toBeVisible();
    const chain = this.exchanges.getByRole("list", { name: "Trace" }).first();
    await expect(chain.getByRole("heading", { name: `${events} ${events === 1 ? "event" : "events"}` })).toBeVisible();
  }
}
