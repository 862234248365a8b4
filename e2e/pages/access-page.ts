import { expect, type Locator, type Page } from "@playwright/test";
import { FramePage } from "./frame-page.ts";

type Look = () => Promise<void>;

/** Access of others to a world: a section of the place Worlds. */
export class AccessPage {
  readonly page: Page;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("dialog");
  }

  async goto(world: string): Promise<void> {
    await new FramePage(this.page).goToAddress(`/worlds/${world}?world=${world}`);
    await expect(this.section).toBeVisible();
  }

  get section(): Locator {
    return this.page.getByRole("heading", { level: 2, name: "Access" });
  }

  row(name: string): Locator {
    return this.page
      .getByRole("table", { name: /^Tokens of / })
      .getByRole("row")
      .filter({ hasText: name });
  }

  /**
   * @param look called with the form filled in, and with the link in sight
   * @returns the link, which is shown once
   */
  async createToken(name: string, scope: "View" | "Act" | "Manage", look: Look): Promise<string> {
    await this.page.getByRole("button", { name: "Create token" }).click();
    await this.dialog.getByRole("textbox", { name: "Name" }).fill(name);
    await this.dialog.getByRole("combobox", { name: "Scope" }).click();
    await this.page.getByRole("option", { name: new RegExp(`^${scope}`) }).click();
    await look();
    await this.dialog.getByRole("button", { name: "Create token" }).click();
    return this.takeLink(look);
  }

  /** @param look called with the question in sight */
  async revoke(name: string, look: Look): Promise<void> {
    await this.row(name)
      .getByRole("button", { name: /^Revoke/ })
      .click();
    const confirm = this.dialog.getByRole("button", { name: "Revoke" });
    await expect(confirm).toBeVisible();
    await look();
    await confirm.click();
    await expect(this.row(name)).toHaveCount(0);
  }

  /** Creates a single-use link to an existing world. @returns the link */
  async inviteTo(name: string, world: string, look: Look): Promise<string> {
    await this.page.getByRole("button", { name: "Invite" }).click();
    await this.dialog.getByRole("textbox", { name: "Name" }).fill(name);
    await this.dialog.getByRole("radio", { name: world }).check({ force: true });
    await look();
    await this.dialog.getByRole("button", { name: "Create link" }).click();
    return this.takeLink(look);
  }

  /** Creates a world from the seed with an invitation. @returns the single-use link */
  async invite(name: string, look: Look): Promise<string> {
    await this.page.getByRole("button", { name: "Invite" }).click();
    await this.dialog.getByRole("textbox", { name: "Name" }).fill(name);
    await look();
    await this.dialog.getByRole("button", { name: "Create world and link" }).click();
    return this.takeLink(look);
  }

  async takeLink(look: Look): Promise<string> {
    const link = (await this.dialog.getByText(/#(token|claim)=/).textContent()) ?? "";
    await look();
    await this.dialog.getByRole("button", { name: "Done" }).click();
    return link;
  }
}
