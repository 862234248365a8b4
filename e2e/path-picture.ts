/**
 * Creates the README's animated picture from the story of a first order, as `sandbox run --story` writes it: each step
 * for its reading time, then the end. `npm run build`, then `node e2e/path-picture.ts`. Needs img2webp from Debian's
 * package webp.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";

const [target = "docs/pictures/path.webp"] = process.argv.slice(2);
const folder = mkdtempSync(path.join(os.tmpdir(), "path-picture-"));
const file = path.join(folder, "story.html");
const scenario = "docs/scenarios/install-and-first-order.json";
execFileSync(process.execPath, ["out/sandbox/cli.js", "run", scenario, "--story", file], { stdio: "inherit" });
const sentences = JSON.parse(readFileSync(scenario, "utf8")).steps.filter(
  (step: { say?: string }) => step.say !== undefined,
);

const browser = await chromium.launch({
  executablePath: process.env.INTEGRATIONS_EXPLORER_CHROMIUM ?? chromium.executablePath(),
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  colorScheme: "light",
  reducedMotion: "reduce",
});
await page.goto(`file://${file}`);
const frames: string[] = [];
for (let step = 0; step <= sentences.length; step += 1) {
  const frame = path.join(folder, `${step}.png`);
  await page.screenshot({ path: frame, animations: "disabled" });
  frames.push("-lossy", "-q", "60", "-d", step === sentences.length ? "4000" : "2400", frame);
  await page.keyboard.press("ArrowRight");
}
await browser.close();
execFileSync("img2webp", ["-loop", "0", "-min_size", ...frames, "-o", target], { stdio: "inherit" });
rmSync(folder, { recursive: true });
