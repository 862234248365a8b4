import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";

/** The place Worlds: every world, and one with its history. */
export class WorldsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("list", { name: "Worlds", exact: true });
    this.dialog = page.getByRole("dialog");
  }

  async goto(): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: /^Worlds/ })
      .click();
    await this.page.getByRole("heading", { level: 1, name: "Worlds" }).waitFor();
  }

  row(world: string): Locator {
    return this.list.getByRole("link", { name: new RegExp(`^${world} `) });
  }

  /** The open world. */
  detail(world: string): Locator {
    return this.page.getByRole("article", { name: world, exact: true });
  }

  /** The open world's heading. */
  name(world: string): Locator {
    return this.detail(world).getByRole("heading", { level: 2, name: world, exact: true });
  }

  async open(world: string): Promise<void> {
    await this.row(world).click();
    await this.detail(world).waitFor();
    await expect(this.page).toHaveURL(new RegExp(`/worlds/${world}(\\?|$)`));
  }

  async act(world: string, name: string): Promise<void> {
    await this.detail(world)
      .getByRole("button", { name: new RegExp(`^${name}`) })
      .first()
      .click();
  }

  /** A snapshot or checkpoint of the open world. */
  snapshot(name: string): Locator {
    return this.page
      .getByRole("table", { name: /^Snapshots of / })
      .getByRole("row")
      .filter({ hasText: name });
  }

  /** Chooses an item of a snapshot's menu. */
  async more(name: string, item: string): Promise<void> {
    await this.snapshot(name)
      .getByRole("button", { name: /^More for/ })
      .click();
    await this.page.getByRole("menuitem", { name: item }).click();
  }

  async saveSnapshot(world: string, name: string): Promise<void> {
    await this.act(world, "Save snapshot");
    await this.dialog.getByRole("textbox", { name: "Name" }).fill(name);
    await this.dialog.getByRole("button", { name: "Save snapshot" }).click();
    await expect(this.dialog).toBeHidden();
  }

  /** @returns the file's path and its content */
  async exported(world: string): Promise<{ readonly path: string; readonly text: string }> {
    await this.act(world, "Export");
    const saving = this.page.waitForEvent("download");
    await this.dialog.getByRole("button", { name: `Export ${world}` }).click();
    const path = await (await saving).path();
    await expect(this.dialog).toBeHidden();
    return { path, text: await readFile(path, "utf8") };
  }

  async openFile(path: string): Promise<void> {
    const choosing = this.page.waitForEvent("filechooser");
    await this.page.getByRole("button", { name: "Open file" }).click();
    await (await choosing).setFiles(path);
  }

  /** The clock of this window's world. */
  get clock(): Locator {
    return this.page.getByRole("region", { name: "Clock" });
  }

  /** A moment that the clock can be moved to. */
  target(name: "code-before" | "code-after"): Locator {
    return this.clock.getByRole("radio").and(this.page.locator(`[value="${name}"]`));
  }

  get whatComes(): Locator {
    return this.clock.getByRole("region", { name: "Deadlines until then" });
  }
}
