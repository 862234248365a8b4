import { expect, type Locator, type Page } from "@playwright/test";
import { beginsWith } from "./patterns.ts";

/** The fields of the job form; a field left out stays as it is. */
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

/** The form of a new job, or of a change of one. */
export class JobFormPage {
  readonly page: Page;
  /** The job that is open. */
  readonly job: Locator;

  constructor(page: Page) {
    this.page = page;
    this.job = page.getByRole("article", { name: /^Job / });
  }

  get form(): Locator {
    return this.page.getByRole("dialog", { name: /^(New job|Edit )/ });
  }

  /** Opens the form of a new job, or finds it open: a reload leaves it so. */
  async openNewJob(): Promise<void> {
    if (!this.page.url().includes("form=new"))
      await this.page.getByRole("button", { name: "New", exact: false }).first().click();
    await this.form.waitFor();
  }

  async openEdit(): Promise<void> {
    await this.job.getByRole("button", { name: /^Edit/ }).click();
    await this.form.waitFor();
  }

  /** Leaves the form as a person does who has had enough. */
  async leaveForm(): Promise<void> {
    await this.page.keyboard.press("Escape");
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
  async ifExists(choice: "update" | "replace" | "omit if_"): Promise<void> {
    await this.form.getByRole("radio", { name: beginsWith(choice) }).check();
  }

  /** What the body does to a key, as an update and as a replace: "Longreach Mutual kept". */
  async expectOutcome(key: string, { update, replace }: { update: string; replace: string }): Promise<void> {
    const cells = this.form.getByRole("row").filter({ hasText: key }).getByRole("cell");
    await expect(cells.nth(2)).toHaveText(update);
    await expect(cells.nth(3)).toHaveText(replace);
  }

  /** Sends the form; it closes when the service accepts it. */
  async submitForm(): Promise<void> {
    await this.form.getByRole("button", { name: /^(Insert|Update|Replace) job/ }).click();
  }

  /** After a refusal for an identity that is taken: goes on as a change of the job that has it. */
  async updateThatJob(): Promise<void> {
    await this.form.getByRole("button", { name: "Update that job instead" }).click();
    // Both are there for a moment.
    await expect(this.page.getByRole("dialog", { name: "New job" })).toBeHidden();
    await expect(this.form).toHaveAccessibleName(/^Edit /);
  }

  /** Opens the request that deletes the job; nothing is sent yet. */
  async openDelete(): Promise<Locator> {
    await this.job.getByRole("button", { name: "Delete job" }).click();
    const dialog = this.page.getByRole("dialog", { name: /^Delete / });
    await dialog.waitFor();
    return dialog;
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
    const input = this.form.getByLabel(field).first();
    await expect(input).toHaveAttribute("aria-invalid", "true");
    await this.form.getByText(words).waitFor();
  }
}
