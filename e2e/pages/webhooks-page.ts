import { expect, type Locator, type Page } from "@playwright/test";
import { beginsWith, escaped } from "./patterns.ts";

type EventType = "repairer.jobs" | "repairer.procurements" | "supplier.procurements";
type Status = "delivered" | "pending" | "failed" | "retrying";
type WebhooksPages = "Subscriptions" | "Lab";
type View = "Text" | "Hex" | "JSON" | "Headers";

/** The place Webhooks: subscriptions, the live feed, and one delivery byte for byte. */
export class WebhooksPage {
  readonly page: Page;
  readonly feed: Locator;
  readonly subscriptions: Locator;
  /** The open delivery. */
  readonly delivery: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.feed = page.getByRole("list", { name: "Deliveries", exact: true });
    this.subscriptions = page.getByRole("table", { name: "Subscriptions" });
    this.delivery = page.getByRole("article");
    this.dialog = page.getByRole("dialog", { name: "Subscribe" });
  }

  /** Opens the place through the rail. */
  async goto(): Promise<void> {
    const places = this.page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: /^Webhooks/ }).click();
    await this.page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  }

  /** Opens one of the pages beside the deliveries. */
  async show(page: WebhooksPages): Promise<void> {
    const pages = this.page.getByRole("navigation", { name: "Pages of Webhooks" });
    await pages.getByRole("link", { name: page, exact: true }).click();
    await expect(pages.getByRole("link", { name: page, exact: true })).toHaveAttribute("aria-current", "page");
  }

  /** Subscribes both sides to the service's own sink with one click. */
  async subscribeBothSides(): Promise<void> {
    const subscribe = this.page.getByRole("button", { name: /^Subscribe both sides/ });
    await subscribe.click();
    await expect(subscribe).toBeHidden();
  }

  /** Sends the subscription form; `integration` is part of an option's name, for example "Supplier: Meridian". */
  async subscribe(url: string, integration?: string): Promise<void> {
    await this.page.getByRole("button", { name: "Subscribe", exact: true }).click();
    if (integration !== undefined) {
      await this.dialog.getByRole("combobox", { name: "Integration" }).click();
      await this.page.getByRole("option", { name: integration }).click();
    }
    await this.dialog.getByRole("textbox", { name: "Receiver URL" }).fill(url);
    await this.dialog.getByRole("button", { name: /^Subscribe/ }).click();
  }

  async expectSubscribed(url: string): Promise<void> {
    await expect(this.dialog).toBeHidden();
    await this.subscriptions.getByRole("row").filter({ hasText: url }).waitFor();
  }

  async expectSubscriptions(count: number): Promise<void> {
    if (count === 0) await this.page.getByText("No subscriptions yet").waitFor();
    else await expect(this.subscriptions.getByRole("row")).toHaveCount(count + 1);
  }

  /** A subscription's row, by part of its address. */
  subscription(of: string): Locator {
    return this.subscriptions.getByRole("row").filter({ hasText: of });
  }

  /** Pauses or resumes a subscription. */
  async press(what: "Pause" | "Resume", of: string): Promise<void> {
    await this.subscription(of)
      .getByRole("button", { name: beginsWith(what) })
      .click();
  }

  /** Expects the health text of a subscription. */
  async expectFares(of: string, ...words: readonly RegExp[]): Promise<void> {
    for (const text of words) await this.subscription(of).getByText(text).first().waitFor();
  }

  /** Ends a subscription by part of its address or organization, and confirms the question. */
  async unsubscribe(of: string): Promise<void> {
    await this.show("Subscriptions");
    await this.subscriptions.getByRole("button", { name: new RegExp(`^Remove .*${escaped(of)}`) }).click();
    await this.page
      .getByRole("dialog", { name: "Remove this subscription?" })
      .getByRole("button", { name: "Remove subscription" })
      .click();
    await expect(this.page.getByRole("dialog")).toBeHidden();
  }

  /** Rows of the feed by event type, job number or order reference, and state, newest first. */
  rows(event: EventType, about = "", status: Status | "" = ""): Locator {
    return this.feed.getByRole("link", { name: new RegExp(`${escaped(event)}\\b.*${escaped(about)}.*${status}`) });
  }

  async expectDelivered(event: EventType, about = ""): Promise<void> {
    await this.rows(event, about, "delivered").first().waitFor();
  }

  async expectPending(event: EventType, about = ""): Promise<void> {
    await this.rows(event, about, "pending")
      .or(this.rows(event, about, "retrying"))
      .first()
      .waitFor();
  }

  async expectGivenUp(event: EventType, about = ""): Promise<void> {
    await this.rows(event, about, "failed").first().waitFor();
  }

  async expectDeliveries(count: number): Promise<void> {
    if (count === 0) await this.page.getByText(/^No .*deliveries/).waitFor();
    await expect(this.feed.getByRole("link")).toHaveCount(count);
  }

  /** Filters the feed by a subscription (part of its address), or shows "All subscriptions". */
  async narrowTo(of: string): Promise<void> {
    const filter = this.page.getByRole("button", { name: /^Filter/ });
    await filter.click();
    await this.page.getByRole("menuitemradio").filter({ hasText: of }).click();
    await expect(filter).toHaveAttribute("aria-expanded", "false");
  }

  async showOnly(status: "All" | "Pending" | "Failed"): Promise<void> {
    await this.page
      .getByRole("radiogroup", { name: "Which deliveries" })
      .getByRole("radio", { name: new RegExp(`^${status}`) })
      .click();
  }

  /** Opens the newest delivery of an event type. */
  async open(event: EventType, about = ""): Promise<void> {
    await this.rows(event, about).first().click();
    await this.delivery.getByRole("heading", { level: 2, name: event, exact: true }).waitFor();
  }

  async expectStatus(status: Status): Promise<void> {
    const words = status === "retrying" ? /^retrying after \d/ : status;
    await this.delivery.locator("header").getByText(words, { exact: true }).waitFor();
  }

  /** Expects the cause of the shown attempt's failure, the responsible side, and the fix. */
  async expectVerdict(...words: readonly (string | RegExp)[]): Promise<void> {
    for (const text of words)
      await expect(this.delivery.getByRole("note", { name: "Why it failed" })).toContainText(text);
  }

  /** Expects that all four verification steps passed. */
  async expectVerified(): Promise<void> {
    const steps = this.delivery.getByRole("region", { name: "Verification" }).getByRole("listitem");
    await expect(steps).toHaveCount(4);
    await expect(steps.filter({ hasText: "passed:" })).toHaveCount(4);
  }

  /** Opens the shown attempt in the lab, which computes the signature of the stored bytes. */
  async openInLab(): Promise<void> {
    await this.delivery.getByRole("button", { name: /in the lab$/ }).click();
  }

  async showBodyAs(view: View): Promise<void> {
    await this.delivery
      .getByRole("radiogroup", { name: /^Show the body/ })
      .getByRole("radio", { name: view })
      .click();
  }

  async expectAttempts(count: number): Promise<void> {
    await this.delivery.getByRole("heading", { name: count === 1 ? "1 attempt" : `${count} attempts` }).waitFor();
  }

  /** Expects the receiver's response to the shown attempt: a status, or text when there was none. */
  async expectAnswer(status: number | string): Promise<void> {
    const pane = this.delivery.getByRole("complementary", { name: "About this delivery" });
    await pane
      .getByText(String(status), { exact: typeof status === "number" })
      .first()
      .waitFor();
  }

  /** Sends the open notification again; the new delivery is then open. */
  async sendAgain(): Promise<void> {
    const before = this.page.url();
    await this.delivery.getByRole("button", { name: /^Send again/ }).click();
    await expect(this.page).not.toHaveURL(before);
  }
}
