import { expect, type Locator, type Page } from "@playwright/test";

/** The first steps in their order. */
const firstSteps = ["install", "subscribe", "place", "confirm", "receive", "drills"] as const;
type FirstStep = (typeof firstSteps)[number];

/** The place Overview: the lifecycle with its counts, the first steps, the latest traces, health. */
export class OverviewPage {
  readonly page: Page;
  readonly map: Locator;
  readonly steps: Locator;
  readonly traces: Locator;

  constructor(page: Page) {
    this.page = page;
    this.map = page.getByRole("region", { name: "Lifecycle map" });
    this.steps = page.getByRole("region", { name: "First steps" });
    this.traces = page.getByRole("table", { name: "Latest traces" });
  }

  /** Opens the place through the rail. */
  async goto(): Promise<void> {
    const places = this.page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: /^Overview/ }).click();
    await this.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  }

  /** Expects the count at a station of the lifecycle. */
  async expectCount(station: string, count: number): Promise<void> {
    await expect(this.map.getByRole("link").filter({ hasText: station }).locator("[data-count]")).toHaveText(
      String(count),
    );
  }

  /** One of the first steps. */
  step(name: FirstStep): Locator {
    return this.steps.getByRole("listitem").nth(firstSteps.indexOf(name));
  }

  async expectDone(name: FirstStep): Promise<void> {
    await expect(this.step(name)).toHaveAttribute("data-done", "true");
  }

  async expectToDo(name: FirstStep): Promise<void> {
    await expect(this.step(name)).toHaveAttribute("data-done", "false");
  }

  /** The trace of an operation, newest first. */
  trace(operation: string): Locator {
    return this.traces.getByRole("row").filter({ hasText: operation }).first();
  }
}
