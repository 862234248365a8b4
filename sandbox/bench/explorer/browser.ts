import { type Browser, chromium, type Page } from "playwright";
import type { Bench } from "../bench.ts";

const isRootOnLinux = process.platform === "linux" && process.getuid?.() === 0;

/** What Chromium does by itself beside showing the page: none of it belongs into a measurement. */
const QUIETLY = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--disable-gpu",
  "--no-first-run",
];

/** A real Chromium with nothing in it. Whoever opens it closes it. */
export const openBrowser = (bench: Bench): Promise<Browser> =>
  chromium.launch({
    ...(bench.chromium === null ? {} : { executablePath: bench.chromium }),
    // Chromium has no sandbox for root; the pages are the project's own.
    args: isRootOnLinux ? ["--no-sandbox", ...QUIETLY] : QUIETLY,
  });

/** A window at the address that the service printed, signed in; what it loaded is in its cache. */
export const openExplorer = async (browser: Browser, explorerUrl: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(explorerUrl);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  return page;
};
