import { expect, type Locator, type Page } from "@playwright/test";
import { beginsWith } from "./patterns.ts";

/** Fields of the job form; missing ones keep their values. */
interface JobFormFields {
  readonly external?: string;
  /** The site by its name. */
  readonly site?: string;
  readonly number?: string;
  readonly claim?: string;
  /** The insurer by its name. */
  readonly workProvider?: string;
  readonly plate?: string;
  readonly plateState?: string;
  readonly chassis?: string;
}

/** The form for a new or an existing job. */
export class JobFormPage {
  readonly page: Page;
  /** The open job. */
  readonly job: Locator;

  constructor(page: Page) {
    this.page = page;
    this.job = page.getByRole("article", { name: /^Job / });
  }

  get form(): Locator {
    return this.page.getByRole("dialog", { name: /^(New job|Edit )/ });
  }

  /** Opens the form of a new job, unless a reload has kept it open. */
  async openNewJob(): Promise<void> {
    if (!this.page.url().includes("form=new"))
      await this.page.getByRole("button", { name: "New", exact: false }).first().click();
    await this.form.waitFor();
  }

  async openEdit(): Promise<void> {
    await this.job.getByRole("button", { name: /^Edit/ }).click();
    await this.form.waitFor();
  }

  /** Cancels the form. */
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

  /** Chooses the handling of an existing job: `if_`. */
  async ifExists(choice: "update" | "replace" | "omit if_"): Promise<void> {
    await this.form.getByRole("radio", { name: beginsWith(choice) }).check();
  }

  /** Expects a key's result in an update and in a replace: "Longreach Mutual kept". */
  async expectOutcome(key: string, { update, replace }: { update: string; replace: string }): Promise<void> {
    const cells = this.form.getByRole("row").filter({ hasText: key }).getByRole("cell");
    await expect(cells.nth(2)).toHaveText(update);
    await expect(cells.nth(3)).toHaveText(replace);
  }

  /** Sends the form; it closes on success. */
  async submitForm(): Promise<void> {
    await this.form.getByRole("button", { name: /^(Insert|Update|Replace) job/ }).click();
  }

  /** After a refusal for an existing identity: continues with an update of that job. */
  async updateThatJob(): Promise<void> {
    await this.form.getByRole("button", { name: "Update that job instead" }).click();
    // Both dialogs are present for a moment.
    await expect(this.page.getByRole("dialog", { name: "New job" })).toBeHidden();
    await expect(this.form).toHaveAccessibleName(/^Edit /);
  }

  /** Opens the preview of the deletion; nothing is sent yet. */
  async openDelete(): Promise<Locator> {
    await this.job.getByRole("button", { name: "Delete job" }).click();
    const dialog = this.page.getByRole("dialog", { name: /^Delete / });
    await dialog.waitFor();
    return dialog;
  }

  /** Inserts a new job and opens its parts. */
  async createJob(fields: JobFormFields): Promise<void> {
    await this.openNewJob();
    await this.fillForm(fields);
    await this.submitForm();
    await expect(this.form).toBeHidden();
    await expect(this.job.getByRole("tab", { name: /^Parts/ })).toHaveAttribute("aria-selected", "true");
  }

  /** Expects a refusal at the field that the service named. */
  async expectRefusedAt(field: string): Promise<void> {
    await expect(this.form.getByLabel(field).first()).toHaveAttribute("aria-invalid", "true");
  }
}
