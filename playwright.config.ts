import { defineConfig } from "@playwright/test";

/** `npm test` and `npm run e2e` find one and name it here; without them Playwright takes its own. */
const chromium = process.env.INTEGRATIONS_EXPLORER_CHROMIUM;
const isRootOnLinux = process.platform === "linux" && process.getuid?.() === 0;

/** Disables Chromium's background work, which doesn't belong in a test. */
const quietly = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--disable-gpu",
  "--no-first-run",
  // All windows of a test in one process, which the next test of the worker uses, too.
  "--process-per-site",
  // As in a window: the headless shell would fit glyphs to whole pixels, and pictures would differ.
  "--font-render-hinting=none",
];

export default defineConfig({
  testDir: "e2e/specs",
  outputDir: "test-results/e2e",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 120_000,
  globalTimeout: 45 * 60_000,
  // The same pictures on every platform: glyphs are drawn a little differently on each, shapes and colours are not.
  snapshotPathTemplate: "e2e/pictures/{arg}{ext}",
  expect: {
    timeout: 20_000,
    toHaveScreenshot: {
      animations: "disabled",
      threshold: 0.3,
      maxDiffPixelRatio: 0.02,
      stylePath: "e2e/pictures/quiet.css",
    },
  },
  reporter: [["list"], ["json", { outputFile: process.env.TEST_REPORT_FILE ?? "test-results/e2e.json" }]],
  use: {
    screenshot: "only-on-failure",
    actionTimeout: 20_000,
    // Without animations, so that no test sees a half-open element.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // Chromium has no sandbox for root; the pages in these tests are the project's own.
      args: isRootOnLinux ? ["--no-sandbox", ...quietly] : quietly,
    },
  },
  projects: [
    { name: "browser", testIgnore: "desktop*" },
    { name: "desktop", testMatch: "desktop*" },
  ],
});
