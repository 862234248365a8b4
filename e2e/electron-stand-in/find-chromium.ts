import { existsSync } from "node:fs";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Returns an installed Chromium: from `STANDIN_CHROMIUM` or `INTEGRATIONS_EXPLORER_CHROMIUM`, the system's, or
 * Playwright's own. Throws a sentence if there is none.
 */
export async function findChromium(): Promise<string> {
  const named = process.env.STANDIN_CHROMIUM || process.env.INTEGRATIONS_EXPLORER_CHROMIUM;
  if (named) return named;
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/bin"];
  const system = names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
  if (system !== undefined) return system;
  // Last, because loading Playwright takes longer than the rest of a start.
  const { chromium } = await import("@playwright/test");
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  throw new Error("No Chromium is found: install one, or name one in INTEGRATIONS_EXPLORER_CHROMIUM.");
}
