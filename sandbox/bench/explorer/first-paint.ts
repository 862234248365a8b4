import type { Page } from "playwright";

declare global {
  interface Window {
    /** What has to be drawn before the page is of use. */
    benchWaitsFor?: string;
    /** Milliseconds from the start of the navigation to the frame after that was there. */
    benchUsefulAt?: number;
  }
}

/** Lets the page note when an element is first drawn. Holds for every navigation from now on. */
export const noteFirstOf = async (page: Page, selector: string): Promise<void> => {
  await page.addInitScript((wanted: string) => {
    const look = () => {
      if (document.querySelector(wanted) === null) requestAnimationFrame(look);
      else
        requestAnimationFrame((now) => {
          window.benchUsefulAt = now;
        });
    };
    requestAnimationFrame(look);
  }, selector);
};

/** Loads an address of the explorer. @returns milliseconds from the start of the load until it was of use */
export const timeToUse = async (page: Page, address: string): Promise<number> => {
  await page.goto(address);
  await page.waitForFunction(() => window.benchUsefulAt !== undefined);
  return page.evaluate(() => window.benchUsefulAt ?? Number.NaN);
};
