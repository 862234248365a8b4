import { gzipSync } from "node:zlib";
import type { Page } from "playwright";

/** What is loaded before a place is of use, told by the page itself. */
export const scriptsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry) => entry.startTime <= (window.benchUsefulAt ?? Number.POSITIVE_INFINITY))
      .map(({ name }) => name)
      .filter((name) => new URL(name).pathname.endsWith(".js")),
  );

/** Kilobytes (1,000 bytes) of these scripts, each compressed with gzip. */
export const gzippedKilobytes = async (addresses: readonly string[]): Promise<number> => {
  let bytes = 0;
  for (const address of new Set(addresses)) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
    bytes += gzipSync(new Uint8Array(await response.arrayBuffer()), { level: 9 }).length;
  }
  return bytes / 1_000;
};
