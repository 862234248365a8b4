import { expect, type Locator, type Page } from "@playwright/test";

type EventType = "repairer.jobs" | "repairer.procurements" | "supplier.procurements";
type Status = "delivered" | "pending" | "failed" | "retrying";
type WebhooksPages = "Subscriptions" | "Lab";
type View = "Text" | "Hex" | "JSON" | "Headers";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The place Webhooks: subscriptions, the live feed, and one delivery byte for byte. */
export class WebhooksPage {
  readonly page: Page;
  readonly feed: Locator;
  readonly subscriptions: Locator;
  /** The delivery that is open. */
  readonly delivery: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.feed = page.getByRole("list", { name: "Deliveries", exact: true });
    this.subscriptions = page.getByRole("table", { name: "Subscriptions" });
    this.delivery = page.getByRole("article");
    this.dialog = page.getByRole("dialog", { name: "Subscribe" });
  }

  /** Goes to the place through the rail. */
  async goto(): Promise<void> {
    const places = this.page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: /^Webhooks/ }).click();
    await this.page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  }

  /** Goes to one of the pages beside the deliveries. */
  async show(page: WebhooksPages): Promise<void> {
    const pages = this.page.getByRole("navigation", { name: "Pages of Webhooks" });
    await pages.getByRole("link", { name: page, exact: true }).click();
    await expect(pages.getByRole("link", { name: page, exact: true })).toHaveAttribute("aria-current", "page");
  }

  /** One click: both sides receive at the service's own sink. */
  async subscribeBothSides(): Promise<void> {
    const subscribe = this.page.getByRole("button", { name: "Subscribe both sides to the test receiver" });
    await subscribe.click();
    await expect(subscribe).toBeHidden();
  }

  /** Sends the subscribe form; `integration` is part of an option's name, for example "Supplier: Meridian". */
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

  /** A subscription's line, by part of its address. */
  subscription(of: string): Locator {
    return this.subscriptions.getByRole("row").filter({ hasText: of });
  }

  /** Pauses a subscription, or resumes it. */
  async press(what: "Pause" | "Resume", of: string): Promise<void> {
    await this.subscription(of)
      .getByRole("button", { name: new RegExp(`^${what} the subscription of`) })
      .click();
  }

  /** What is said of how a subscription fares. */
  async expectFares(of: string, ...words: readonly RegExp[]): Promise<void> {
    for (const said of words) await this.subscription(of).getByText(said).first().waitFor();
  }

  /** Ends a subscription by part of its address or organization, and confirms that. */
  async unsubscribe(of: string): Promise<void> {
    await this.show("Subscriptions");
    await this.subscriptions
      .getByRole("button", { name: new RegExp(`^Remove the subscription of .*${escaped(of)}`) })
      .click();
    await this.page
      .getByRole("dialog", { name: "Remove this subscription?" })
      .getByRole("button", { name: "Remove subscription" })
      .click();
    await expect(this.page.getByRole("dialog")).toBeHidden();
  }

  /** Rows of the feed: of an event type, about a job number or reference, in a state; the newest first. */
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
    await expect(this.feed.getByRole("link")).toHaveCount(count);
  }

  /** Narrows the feed to one subscription, by part of its address, or to "All subscriptions". */
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
    const words = status === "retrying" ? /^retrying after \d+ failed attempts?$/ : status;
    await this.delivery.locator("header").getByText(words, { exact: true }).waitFor();
  }

  /** Why the shown attempt failed, whose side the cause is on, and what to do. */
  async expectVerdict(...words: readonly (string | RegExp)[]): Promise<void> {
    for (const said of words)
      await expect(this.delivery.getByRole("note", { name: "Why it failed" })).toContainText(said);
  }

  /** All four steps of the verification passed. */
  async expectVerified(): Promise<void> {
    const steps = this.delivery.getByRole("region", { name: "Verification" }).getByRole("listitem");
    await expect(steps).toHaveCount(4);
    await expect(steps.filter({ hasText: "passed:" })).toHaveCount(4);
  }

  /** Takes the shown attempt to the lab, which computes its signature over the stored bytes. */
  async openInLab(): Promise<void> {
    await this.delivery.getByRole("button", { name: "Open in the lab" }).click();
  }

  async showBodyAs(view: View): Promise<void> {
    await this.delivery
      .getByRole("radiogroup", { name: "Show the body as" })
      .getByRole("radio", { name: view })
      .click();
  }

  async expectAttempts(count: number): Promise<void> {
    await this.delivery.getByRole("heading", { name: count === 1 ? "1 attempt" : `${count} attempts` }).waitFor();
  }

  /** The receiver's answer to the shown attempt: a status, or words where there was none. */
  async expectAnswer(answer: number | string): Promise<void> {
    const pane = this.delivery.getByRole("complementary", { name: "About this delivery" });
    await pane
      .getByText(String(answer), { exact: typeof answer === "number" })
      .first()
      .waitFor();
  }

  /** Sends the open notification once more; the new delivery is open then. */
  async sendAgain(): Promise<void> {
    const before = this.page.url();
    await this.delivery.getByRole("button", { name: /^Send again/ }).click();
    await expect(this.page).not.toHaveURL(before);
  }
}
