import { expect, type Locator, type Page } from "@playwright/test";

/** The tabs of a job. */
export type JobTab = "Overview" | "Parts" | "Basket" | "Procurements" | "JSON";

/** What the job form takes; a field left out stays as it is. */
export interface JobFormFields {
  readonly external?: string;
  /** The site by its name. */
  readonly site?: string;
  readonly number?: string;
  readonly claim?: string;
  /** The work provider by its name. */
  readonly workProvider?: string;
  readonly plate?: string;
  readonly plateState?: string;
  readonly chassis?: string;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Begins with these words, so that a count, a price or a key hint after them does not matter. */
const beginsWith = (text: string) => new RegExp(`^${escaped(text)}`);

/** The place Jobs: the list, a job with its tabs, parts, the basket and placing. */
export class JobsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly search: Locator;
  /** The job that is open. */
  readonly job: Locator;
  readonly basket: Locator;
  /** What placing will do, or did. */
  readonly placed: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "Jobs" });
    this.search = page.getByRole("searchbox", { name: "Search jobs" });
    this.job = page.getByRole("article", { name: /^Job / });
    this.basket = page.getByRole("grid", { name: "Offers: parts down, suppliers across" });
    this.placed = page.getByRole("region", { name: "Orders placed" });
  }

  /** Goes to the place through the rail. */
  async goto(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Jobs/ }).click();
    await expect(this.page.getByRole("heading", { level: 1, name: "Jobs" })).toBeVisible();
  }

  /** A job's line in the list, by its number, plate or anything else it shows. */
  row(text: string): Locator {
    return this.list.getByRole("link").filter({ hasText: text });
  }

  /** Searches for a job and opens it. */
  async open(text: string): Promise<void> {
    await this.search.fill(text);
    await this.row(text).first().click();
    await expect(this.job).toBeVisible();
  }

  /** Leaves only the jobs of a state, a site or an insurer. */
  async narrowTo(name: string): Promise<void> {
    await this.page.getByRole("button", { name: "Filter by state, site and insurer" }).click();
    await this.page.getByRole("menuitemradio", { name, exact: true }).click();
  }

  /** Takes back what the list was narrowed to. */
  async widen(name: string): Promise<void> {
    await this.page.getByRole("button", { name: new RegExp(`not only ${escaped(name)}$`) }).click();
  }

  /** Orders the list by another field, or the other way round. */
  async sort(name: "Last changed" | "Created" | "Job number" | "A to Z" | "Z to A"): Promise<void> {
    await this.page.getByRole("button", { name: /^Sort: / }).click();
    await this.page.getByRole("menuitemradio", { name, exact: true }).click();
  }

  /** What the list's first row is known by. */
  async expectFirst(text: string): Promise<void> {
    await expect(this.list.getByRole("link").first()).toContainText(text);
  }

  /** How many jobs the filter leaves, as it is said to whoever does not see the list. */
  async expectFound(words: string): Promise<void> {
    await expect(this.page.getByRole("status").filter({ hasText: words })).toBeAttached();
  }

  /** Shows the rows that came in while the list was held still. */
  async showNewRows(): Promise<void> {
    await this.page.getByRole("button", { name: /^[\d,]+ new/ }).click();
  }

  async show(tab: JobTab): Promise<void> {
    await this.job.getByRole("tab", { name: beginsWith(tab) }).click();
    await expect(this.job.getByRole("tabpanel", { name: beginsWith(tab) })).toBeVisible();
  }

  /** The number beside a tab's name. */
  async expectTabCount(tab: JobTab, count: number): Promise<void> {
    await expect(this.job.getByRole("tab", { name: `${tab} ${count}` })).toBeVisible();
  }

  // Parts

  /** Inserts parts as a pasted list: `["Bonnet", "12 x Retaining clip set; M6"]`. */
  async addParts(lines: readonly string[]): Promise<void> {
    await this.pasteParts(lines);
    await this.job.getByRole("button", { name: /^Insert [\d,]+ parts?/ }).click();
    await expect(this.job.getByRole("button", { name: /^200 / })).toBeVisible();
  }

  /** Pastes the list and stops before it is sent. */
  async pasteParts(lines: readonly string[]): Promise<void> {
    await this.show("Parts");
    const text = this.job.getByRole("textbox", { name: "One part a line" });
    if (!(await text.isVisible())) await this.job.getByRole("button", { name: "Paste a list" }).first().click();
    await text.fill(lines.join("\n"));
  }

  /** Sends a list the explorer warned of, to see what the service says. */
  async sendPartsAllTheSame(): Promise<void> {
    await this.job.getByRole("button", { name: /all the same$/ }).click();
  }

  /** Inserts one part by the form. */
  async addPart(part: { description: string; quantity?: number; note?: string; externalId?: string }): Promise<void> {
    await this.show("Parts");
    const form = this.job.getByRole("region", { name: "Add parts" });
    const description = form.getByRole("textbox", { name: "description" });
    if (!(await description.isVisible()))
      await this.job
        .getByRole("button", { name: /^Add parts/ })
        .first()
        .click();
    await description.fill(part.description);
    if (part.quantity !== undefined) await form.getByRole("textbox", { name: "quantity" }).fill(String(part.quantity));
    if (part.note !== undefined) await form.getByRole("textbox", { name: "note" }).fill(part.note);
    if (part.externalId !== undefined) await form.getByRole("textbox", { name: "external_id" }).fill(part.externalId);
    await form.getByRole("button", { name: "Add part", exact: true }).click();
    await expect(this.part(part.description)).toBeVisible();
  }

  /** A part's line in the table. */
  part(description: string): Locator {
    return this.job
      .getByRole("table", { name: /^Parts of this job/ })
      .getByRole("row")
      .filter({ hasText: description });
  }

  /** The refusal of a parts insert: a bare string, and why as the sandbox recorded it. */
  async expectPartsRefused(code: string, reason?: string): Promise<void> {
    const alert = this.job.getByRole("alert");
    await expect(alert).toContainText(JSON.stringify(code));
    if (reason !== undefined) await expect(alert).toContainText(reason);
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

  async chooseNewest(): Promise<void> {
    await this.show("Basket");
    await this.job.getByRole("button", { name: "Choose newest" }).click();
  }

  /** Chooses everything a supplier offers. */
  async chooseAllOf(supplier: string): Promise<void> {
    await this.show("Basket");
    await this.basket.getByRole("button", { name: `Choose all offers of ${supplier}` }).click();
  }

  async clearChoice(): Promise<void> {
    await this.job.getByRole("button", { name: "Clear", exact: true }).click();
  }

  /** "7 of 8 parts chosen". */
  async expectChosen(parts: number, of: number): Promise<void> {
    await expect(this.basket.getByText(`${parts} of ${of} parts chosen`)).toBeVisible();
  }

  /** What the bar says placing will make. */
  async expectWillPlace(procurements: number, events: number): Promise<void> {
    const bar = this.job.getByText(`Placing makes ${procurements} procurement`);
    await expect(bar).toContainText(`emits ${events} events`);
  }

  /** Opens the request that placing will send; close it with Escape or its buttons. */
  async previewPlacing(): Promise<Locator> {
    await this.job.getByRole("button", { name: "Preview" }).click();
    const dialog = this.page.getByRole("dialog", { name: "What will be sent" });
    await expect(dialog).toBeVisible();
    return dialog;
  }

  /** Places the chosen offers and answers the references of what was made. */
  async placeOrders(): Promise<string[]> {
    await this.job.getByRole("button", { name: /^Place [\d,]+ orders?/ }).click();
    await expect(this.placed).toBeVisible();
    const links = await this.placed.getByRole("link").allInnerTexts();
    return links.filter((text) => text !== "All of this job");
  }

  /** Follows a procurement of the job to its own place. */
  async openProcurement(reference: string): Promise<void> {
    await this.show("Procurements");
    await this.job.getByRole("link", { name: reference }).click();
  }

  // The form

  get form(): Locator {
    return this.page.getByRole("dialog", { name: /^(New job|Edit )/ });
  }

  async openNewJob(): Promise<void> {
    await this.page.getByRole("button", { name: "New", exact: false }).first().click();
    await expect(this.form).toBeVisible();
  }

  async openEdit(): Promise<void> {
    await this.job.getByRole("button", { name: /^Edit/ }).click();
    await expect(this.form).toBeVisible();
  }

  async fillForm({
    external,
    site,
    number,
    claim,
    workProvider,
    plate,
    plateState,
    chassis,
  }: JobFormFields): Promise<void> {
    const texts = {
      "identity, external": external,
      job_number: number,
      claim_number: claim,
      plate_number: plate,
      plate_state: plateState,
      chassis_number: chassis,
    };
    for (const [name, text] of Object.entries(texts)) {
      if (text !== undefined) await this.form.getByRole("textbox", { name }).fill(text);
    }
    if (site !== undefined) await this.#choose("repairer_site_id", site);
    if (workProvider !== undefined) await this.#choose("work_provider_id", workProvider);
  }

  async #choose(label: string, option: string): Promise<void> {
    await this.form.getByRole("combobox", { name: label }).click();
    await this.page.getByRole("option", { name: option }).click();
  }

  /** What is to happen since the job exists: `if_`. */
  async ifExists(choice: "update" | "replace" | "leave if_ out"): Promise<void> {
    await this.form.getByRole("radio", { name: beginsWith(choice) }).check();
  }

  /** Sends the form; it closes when the service takes it. */
  async submitForm(): Promise<void> {
    await this.form.getByRole("button", { name: /^(Insert|Update|Replace) job/ }).click();
  }

  /** Inserts a new job and lands on its parts. */
  async createJob(fields: JobFormFields): Promise<void> {
    await this.openNewJob();
    await this.fillForm(fields);
    await this.submitForm();
    await expect(this.form).toBeHidden();
    await expect(this.job.getByRole("tab", { name: /^Parts/ })).toHaveAttribute("aria-selected", "true");
  }

  /** The form was refused, and the field the service named says so in its words. */
  async expectRefusedAt(field: string, words: string): Promise<void> {
    const input = this.form.getByLabel(field, { exact: true }).first();
    await expect(input).toHaveAttribute("aria-invalid", "true");
    await expect(this.form.getByText(words)).toBeVisible();
  }
}
