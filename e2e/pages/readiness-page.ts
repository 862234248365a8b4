import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import { beginsWith } from "./patterns.ts";

/** One integration's progress and its open requirements. */
export class ReadinessPage {
  readonly page: Page;
  readonly left: Locator;

  constructor(page: Page) {
    this.page = page;
    this.left = page.getByRole("region", { name: /^What to do/ });
  }

  /** Opens the report from the list of credentials. */
  async gotoOf(organization: string): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: /^Install/ })
      .click();
    const credentials = this.page.getByRole("table", { name: /^Credentials/ });
    await credentials.getByRole("link", { name: organization }).first().click();
    await this.expectOpen(organization);
  }

  async expectOpen(organization: string): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name: `Readiness of ${organization}` }).waitFor();
  }

  row(table: "Operations" | "Error codes" | "Events" | "Drills", of: string | RegExp): Locator {
    return this.page
      .getByRole("table", { name: beginsWith(table) })
      .getByRole("row")
      .filter({ hasText: of });
  }

  /** Expects progress such as "2 of 19". */
  async expectMet(what: string, count: string | RegExp): Promise<void> {
    const met = this.page.getByRole("term").filter({ hasText: what }).locator("xpath=following-sibling::dd");
    await expect(met).toContainText(count);
  }

  /** Open requirements of a kind, by the start of its title. */
  steps(kind: string): Locator {
    return this.left.getByRole("region", { name: beginsWith(kind) }).getByRole("listitem");
  }

  async save(form: "Markdown" | "JSON" | "signed evidence"): Promise<string> {
    await this.page.getByRole("button", { name: "Export" }).click();
    const download = this.page.waitForEvent("download");
    await this.page.getByRole("menuitem", { name: `Save as ${form}` }).click();
    return readFile(await (await download).path(), "utf8");
  }
}
