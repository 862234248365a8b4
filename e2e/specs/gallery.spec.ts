import path from "node:path";
import { test } from "@playwright/test";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig, type PreviewServer, preview } from "vite";
import { expect, expectAccessible } from "../fixtures/explorer.ts";
import { GalleryPage } from "../pages/gallery-page.ts";

/** A separate page that is built only for screenshots. */
const componentsPage: InlineConfig = {
  configFile: false,
  root: path.join(import.meta.dirname, "../gallery"),
  plugins: [react()],
  build: { outDir: path.resolve("out/gallery"), emptyOutDir: true },
  preview: { port: 0, host: "127.0.0.1" },
  logLevel: "error",
};

// The page is built once for both tests.
test.describe.configure({ mode: "serial" });
let server: PreviewServer;
test.beforeAll(async () => {
  await build(componentsPage);
  server = await preview(componentsPage);
});
test.afterAll(() => server.close());

for (const colorScheme of ["light", "dark"] as const) {
  test(`every component in every state looks unchanged, in the ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1_232, height: 1_000 });
    const gallery = new GalleryPage(page);
    await gallery.goto(server.resolvedUrls?.local[0] ?? "");
    await expectAccessible(page);
    await expect(gallery.cells).toHaveScreenshot(["gallery", `${colorScheme}.png`], {
      mask: [page.locator("time")],
      // Relative to the complete screenshot: a wrong button exceeds this.
      maxDiffPixelRatio: 0.0005,
    });
  });
}
