import { expect, type Locator, type Page } from "@playwright/test";

type Behaviour =
  | "A correct receiver"
  | "Down for two attempts"
  | "Always fails"
  | "Times out once"
  | "Doesn’t verify signatures"
  | "Doesn’t deduplicate";

/** The pages of Webhooks with the built-in receivers. */
export class WebhooksReceiversPage {
  readonly page: Page;
  readonly table: Locator;
  readonly dialog: Locator;
  /** What the open receiver was sent. */
  readonly received: Locator;
  /** The notification that is open. */
  readonly entry: Locator;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole("table", { name: "Receivers" });
    this.dialog = page.getByRole("dialog", { name: "New receiver" });
    this.received = page.getByRole("list", { name: "Received" });
    this.entry = page.getByRole("article").getByRole("article");
  }

  async expectNone(): Promise<void> {
    await expect(this.page.getByText("No built-in receivers yet")).toBeVisible();
  }

  /** Makes one for an integration, by part of its name; it is open then. */
  async make(integration: string, behaviour: Behaviour): Promise<void> {
    await this.page.getByRole("button", { name: "New receiver" }).click();
    await this.dialog.getByRole("combobox", { name: "Integration" }).click();
    await this.page.getByRole("option", { name: integration }).first().click();
    await this.#choose(this.dialog, behaviour);
    await this.dialog.getByRole("button", { name: "Make and subscribe" }).click();
    await expect(this.dialog).toBeHidden();
    await expect(this.page.getByRole("heading", { name: /^What it does/ })).toBeVisible();
  }

  async #choose(within: Locator | Page, behaviour: Behaviour): Promise<void> {
    await within.getByRole("combobox", { name: "Behaves like" }).click();
    await this.page.getByRole("option", { name: behaviour }).click();
  }

  /** Sends one event to the open receiver alone. */
  async sendTest(): Promise<void> {
    await this.page.getByRole("button", { name: "Send a test event" }).click();
  }

  /** Changes the behaviour of the open receiver. */
  async change(behaviour: Behaviour): Promise<void> {
    await this.#choose(this.page, behaviour);
    await this.page.getByRole("button", { name: "Change what it does" }).click();
    await expect(this.page.getByRole("button", { name: "Discard changes" })).toBeHidden();
  }

  /** Says in the form, part by part, what the open receiver is to answer; nothing is sent yet. */
  async fillStatus(status: string, first: string): Promise<void> {
    await this.page.getByRole("radio", { name: /^Answer a status/ }).check();
    await this.page.getByRole("textbox", { name: "status" }).fill(status);
    await this.page.getByRole("radio", { name: "the first few" }).check();
    await this.page.getByRole("textbox", { name: "first" }).fill(first);
  }

  async save(): Promise<void> {
    await this.page.getByRole("button", { name: "Change what it does" }).click();
  }

  async expectDoes(sentence: string): Promise<void> {
    const does = this.page.getByRole("region", { name: /^What it does/ });
    await expect(does.getByText(sentence)).toBeVisible();
  }

  /** What it received, by words on the line; the newest first. */
  entries(...words: readonly string[]): Locator {
    let found = this.received.getByRole("link");
    for (const word of words) found = found.filter({ hasText: word });
    return found;
  }

  async expectReceived(count: number, ...words: readonly string[]): Promise<void> {
    await expect(this.entries(...words)).toHaveCount(count);
  }

  async open(...words: readonly string[]): Promise<void> {
    await this.entries(...words)
      .first()
      .click();
    await expect(this.entry).toBeVisible();
  }

  async expectWords(words: string | RegExp): Promise<void> {
    await expect(this.entry.getByText(words).first()).toBeVisible();
  }

  async openSubscription(): Promise<void> {
    await this.page.getByRole("link", { name: "Subscription and drills" }).click();
    await expect(this.page).toHaveURL(/\/webhooks\/subscriptions\//);
  }

  async subscribeAgain(): Promise<void> {
    await this.page.getByRole("button", { name: "Subscribe it" }).click();
    await expect(this.page.getByText("not subscribed")).toBeHidden();
  }

  async openFromTable(organization: string): Promise<void> {
    await this.table.getByRole("link", { name: new RegExp(organization) }).click();
  }

  async delete(): Promise<void> {
    await this.page.getByRole("button", { name: "Delete this receiver" }).click();
    await this.page
      .getByRole("dialog", { name: "Delete this receiver?" })
      .getByRole("button", { name: "Delete receiver" })
      .click();
    await expect(this.page.getByRole("dialog")).toBeHidden();
  }
}
