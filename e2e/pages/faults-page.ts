import { expect, type Locator, type Page } from "@playwright/test";

/** Faults of a world: armed ones, past ones, and a form for new ones. */
export class FaultsPage {
  readonly page: Page;
  readonly armed: Locator;
  readonly over: Locator;
  readonly form: Locator;

  constructor(page: Page) {
    this.page = page;
    this.armed = page.getByRole("list", { name: "Armed faults" }).locator("> li");
    this.over = page.getByRole("list", { name: "Ended faults" }).locator("> li");
    this.form = page.getByRole("dialog", { name: "New fault" });
  }

  async seen(world = "default"): Promise<void> {
    await this.page.getByRole("article", { name: `Faults of ${world}` }).waitFor();
    await expect(this.page).toHaveURL(new RegExp(`/worlds/${world}/faults(\\?|$)`));
  }

  async armReadyMade(name: string): Promise<void> {
    await this.page.getByRole("button", { name: `Arm ${name}`, exact: true }).click();
  }

  async choose(field: string, option: string | RegExp): Promise<void> {
    await this.form.getByRole("combobox", { name: field }).click();
    await this.page.getByRole("option", { name: option }).click();
  }
}
