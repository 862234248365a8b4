import { expect, type Locator, type Page } from "@playwright/test";

/** The frame around every place: rail, top bar, palette, keys, banners. */
export class FramePage {
  readonly page: Page;
  readonly rail: Locator;
  readonly bar: Locator;
  readonly palette: Locator;
  readonly keys: Locator;

  constructor(page: Page) {
    this.page = page;
    this.rail = page.getByRole("navigation", { name: "Places" });
    this.bar = page.getByRole("banner");
    this.palette = page.getByRole("dialog", { name: "Search or jump to" });
    this.keys = page.getByRole("dialog", { name: "Shortcuts and terms" });
  }

  /** Opens a place through the rail. */
  async goTo(place: string): Promise<void> {
    await this.rail.getByRole("link", { name: new RegExp(`^${place}`) }).click();
    await this.expectPlace(place);
  }

  /** Goes to an address like a link: in the loaded page, which a load would replace. */
  async goToAddress(address: string): Promise<void> {
    await this.page.evaluate((to) => history.pushState(null, "", to), address);
  }

  async expectPlace(place: string): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name: place }).waitFor();
  }

  /** Expects the connection's state in the bar. */
  async expectConnection(words: string | RegExp): Promise<void> {
    await expect(this.bar.getByText(words)).toBeVisible({ timeout: 20_000 });
  }

  /** A line under the bar for a condition that needs action. */
  banner(name: string): Locator {
    return this.page.getByRole("region", { name });
  }

  /** Opens the palette and types into it. */
  async search(text: string): Promise<void> {
    // Retries, because the key does nothing while the palette closes or a place takes focus, and would close an
    // open palette.
    await expect(async () => {
      if (!(await this.palette.isVisible())) await this.page.keyboard.press("ControlOrMeta+k");
      await expect(this.palette.getByRole("combobox")).toBeFocused({ timeout: 1000 });
    }).toPass();
    await this.palette.getByRole("combobox").fill(text);
  }

  /** Chooses an item of the palette. */
  async run(text: string, entry: string | RegExp = text): Promise<void> {
    await this.search(text);
    await this.palette.getByRole("option", { name: entry }).first().click();
    await expect(this.palette).toBeHidden();
  }

  async openKeys(): Promise<void> {
    await this.page.keyboard.press("?");
    await this.keys.waitFor();
  }

  /** Closes the top dialog; keys then belong to the place again. */
  async escape(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
  }

  /** Expects the page to fit the window, so that only its parts scroll. */
  async expectNoScroll(): Promise<void> {
    const larger = await this.page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight];
    });
    expect(Math.max(...larger)).toBeLessThanOrEqual(0);
    for (const part of [this.bar, this.rail]) {
      const overflow = await part.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
  }
}
