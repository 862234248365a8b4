import type { Page } from "playwright";

declare global {
  interface Window {
    /** Milliseconds between one frame and the next, since they are counted. */
    benchFrames?: number[];
  }
}

/** Milliseconds of every frame that the page drew while something was done in it. */
export const framesWhile = async (page: Page, act: () => Promise<void>): Promise<readonly number[]> => {
  await page.evaluate(() => {
    const frames: number[] = [];
    window.benchFrames = frames;
    let last: number | null = null;
    const tick = (now: number) => {
      if (last !== null) frames.push(now - last);
      last = now;
      if (window.benchFrames === frames) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  return page.evaluate(() => {
    const frames = window.benchFrames ?? [];
    delete window.benchFrames;
    return frames;
  });
};

/** Turns the wheel over the page's middle, down and up again, as often as it takes to fill the time. */
export const scrollFor = async (page: Page, milliseconds: number, [x, y]: readonly [number, number]): Promise<void> => {
  await page.mouse.move(x, y);
  const end = performance.now() + milliseconds;
  for (let turn = 0; performance.now() < end; turn += 1) {
    await page.mouse.wheel(0, turn % 60 < 40 ? 400 : -700);
    await page.waitForTimeout(16);
  }
};
