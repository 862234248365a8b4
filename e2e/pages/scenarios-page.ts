import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";

/** The place Scenarios: every scenario, and one with its steps and its run. */
export class ScenariosPage {
  readonly page: Page;
  readonly list: Locator;
  readonly dialog: Locator;
  /** The open scenario. */
  readonly detail: Locator;
  /** The shown run. */
  readonly run: Locator;
  readonly steps: Locator;
  /** The shown run's state. */
  readonly state: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "Scenarios", exact: true });
    this.dialog = page.getByRole("dialog");
    this.detail = page.getByRole("article");
    this.run = page.getByRole("complementary", { name: "Run" });
    this.steps = page.getByRole("region", { name: "Steps" }).getByRole("list").first().getByRole("listitem");
    this.state = this.detail.locator("header .st");
  }

  async goto(): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: /^Scenarios/ })
      .click();
    await this.page.getByRole("heading", { level: 1, name: "Scenarios" }).waitFor();
  }

  /** A scenario in the list, by its name in addresses. */
  row(name: string): Locator {
    const address = `/scenarios/${name}`;
    return this.list.getByRole("link").and(this.page.locator(`[href="${address}"], [href^="${address}?"]`));
  }

  async open(name: string): Promise<void> {
    const title = await this.row(name).locator(".li-title").innerText();
    await this.row(name).click();
    await this.page.getByRole("article", { name: title, exact: true }).waitFor();
  }

  /** A step by its number. */
  step(number: number): Locator {
    return this.steps.nth(number - 1);
  }

  async #expectProgress(state: string, passed: number): Promise<void> {
    await expect(this.state).toContainText(state, { timeout: 30_000 });
    await expect(this.run.getByRole("progressbar")).toHaveAttribute("value", String(passed));
  }

  /** Expects a finished run in which all of this many steps passed. */
  async expectPassed(steps: number): Promise<void> {
    await this.#expectProgress("passed", steps);
    await expect(this.run.getByRole("progressbar")).toHaveAttribute("max", String(steps));
  }

  /** Expects a finished run whose first difference is at this step. */
  async expectFailedAt(number: number): Promise<void> {
    await this.#expectProgress("failed", number - 1);
    await expect(this.step(number).getByRole("region", { name: "First difference" })).toBeVisible();
  }

  /** Expects a run that was stopped after this many steps. */
  async expectStoppedAfter(steps: number): Promise<void> {
    await this.#expectProgress("stopped", steps);
  }

  /** Expects a run step by step that waits at this step. */
  async expectWaitsAt(number: number): Promise<void> {
    await expect(this.step(number)).toHaveAttribute("aria-current", "step", { timeout: 20_000 });
  }

  async act(name: string | RegExp): Promise<void> {
    await this.detail.getByRole("button", { name }).first().click();
  }

  /** Returns the file of "Save as file". */
  async saveAsFile(): Promise<string> {
    const saving = this.page.waitForEvent("download");
    await this.act("Save as file");
    return readFile(await (await saving).path(), "utf8");
  }

  async openFile(name: string, content: string): Promise<void> {
    const choosing = this.page.waitForEvent("filechooser");
    await this.page.getByRole("button", { name: /^Open a file/ }).click();
    await (await choosing).setFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
  }

  /** Opens a scenario's file, which is then shown. */
  async openScenario(
    name: string,
    scenario: Readonly<Record<string, unknown>> & { readonly name: string },
  ): Promise<void> {
    await this.openFile(name, JSON.stringify(scenario));
    await this.page.getByRole("article", { name: scenario.name, exact: true }).waitFor();
  }
}
