import type { Locator, Page } from "@playwright/test";

/** The place Settings: settings of the window, its world and the service. */
export class SettingsPage {
  readonly page: Page;
  /** All settings. */
  readonly body: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.body = page.getByRole("region", { name: "All settings" });
    this.dialog = page.getByRole("dialog", { name: "Erase everything" });
  }

  async goto(): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: /^Settings/ })
      .click();
    await this.page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  }

  /** One setting, by its title. */
  setting(title: string): Locator {
    return this.page.getByRole("region", { name: new RegExp(`^${title}`) });
  }

  async choose(title: string, choice: string): Promise<void> {
    await this.setting(title).getByRole("radio", { name: choice }).click();
  }

  /** The value of a start option of the service. */
  startedWith(name: string): Locator {
    return this.page.getByRole("row", { name: new RegExp(`^${name} `) });
  }
}
