import { expect, type Locator, type Page } from "@playwright/test";
import { FramePage } from "./frame-page.ts";
import { beginsWith, escaped } from "./patterns.ts";

/** The world menu in the top bar. */
export class WorldsMenu {
  readonly page: Page;
  readonly bar: Locator;
  readonly menu: Locator;
  readonly question: Locator;
  /** The form for a new world or a copy. */
  readonly form: Locator;

  constructor(page: Page) {
    this.page = page;
    this.bar = page.getByRole("banner");
    this.menu = page.getByRole("menu", { name: /^World / });
    this.question = page.getByRole("dialog", { name: /^(Reset|Delete) / });
    this.form = page.getByRole("dialog", { name: /^(New world|Copy )/ });
  }

  async open(): Promise<void> {
    await this.bar.getByRole("button", { name: /^World / }).click();
    await this.menu.waitFor();
  }

  async close(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await expect(this.menu).toBeHidden();
  }

  line(world: string): Locator {
    return this.menu.getByRole("menuitem", { name: new RegExp(`^${escaped(world)}\\s*(\\d|resets|pinned)`) });
  }

  async switchTo(world: string): Promise<void> {
    await this.open();
    await this.line(world).click();
    await expect(this.menu).toBeHidden();
    await this.expectCurrent(world);
  }

  /** Types the name of a new world, without creating it. */
  async typeNew(world: string): Promise<void> {
    await this.open();
    await this.menu.getByRole("menuitem", { name: "New world" }).click();
    await this.form.getByRole("textbox", { name: "Name" }).fill(world);
  }

  async create(world: string): Promise<void> {
    await this.typeNew(world);
    await this.form.getByRole("button", { name: "Create and open" }).click();
    await expect(this.form).toBeHidden();
    await this.expectCurrent(world);
  }

  /** Runs a palette action on the current world. */
  private async run(act: string, world: string): Promise<void> {
    await new FramePage(this.page).run(`${act} world ${world}`);
  }

  async copy(world: string, to: string): Promise<void> {
    await this.run("Copy", world);
    await this.form.getByRole("textbox", { name: "Name" }).fill(to);
    await this.form.getByRole("button", { name: `Copy ${world}` }).click();
    await expect(this.form).toBeHidden();
  }

  /** Requests a reset or a deletion, which waits for confirmation. */
  async ask(act: "Reset" | "Delete", world: string): Promise<void> {
    await this.run(act, world);
    await this.question.waitFor();
  }

  async confirm(act: "Reset" | "Delete", world: string): Promise<void> {
    await this.question.getByRole("button", { name: `${act} ${world}` }).click();
    await expect(this.question).toBeHidden();
  }

  async cancel(): Promise<void> {
    await this.question.getByRole("button", { name: "Cancel" }).click();
    await expect(this.question).toBeHidden();
  }

  /** Pins or unpins the current world by the pin beside its name. */
  async pin(world: string): Promise<void> {
    await this.bar.getByRole("button", { name: beginsWith(`Pin ${world}`) }).click();
    await this.bar.getByText("pinned", { exact: true }).waitFor();
  }

  async unpin(world: string): Promise<void> {
    await this.bar.getByRole("button", { name: beginsWith(`Unpin ${world}`) }).click();
    await this.expectTimeLeft();
  }

  async expectTimeLeft(): Promise<void> {
    await this.bar.getByText(/^resets in \d/).waitFor();
  }

  async expectCurrent(world: string): Promise<void> {
    await this.bar.getByRole("button", { name: `World ${world}`, exact: true }).waitFor();
    const query = new RegExp(`[?&]world=${escaped(world)}(&|$)`);
    if (world === "default") await expect(this.page).not.toHaveURL(/[?&]world=/);
    else await expect(this.page).toHaveURL(query);
  }
}
