import path from "node:path";
import { test } from "@playwright/test";
import { build, type PreviewServer, preview } from "vite";
import { expect, expectAccessible } from "../fixtures/explorer.ts";
import { GalleryPage } from "../pages/gallery-page.ts";

const configFile = path.join(import.meta.dirname, "../gallery/vite.config.ts");
const fileNameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

// The page is built once for both.
test.describe.configure({ mode: "serial" });
let server: PreviewServer;
test.beforeAll(async () => {
  await build({ configFile, logLevel: "error" });
  server = await preview({ configFile, preview: { port: 0, host: "127.0.0.1" } });
});
test.afterAll(() => server.close());

for (const colorScheme of ["light", "dark"] as const) {
  test(`every component in every state looks as it did, in the ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1_232, height: 1_000 });
    const gallery = new GalleryPage(page);
    await gallery.goto(server.resolvedUrls?.local[0] ?? "");
    await expectAccessible(page);
    const titles = await gallery.titles();
    expect(titles.length).toBeGreaterThan(10);
    for (const title of titles) {
      const cell = gallery.cell(title);
      await expect
        .soft(cell)
        .toHaveScreenshot(["gallery", `${fileNameOf(title)}-${colorScheme}.png`], { mask: [cell.locator("time")] });
    }
  });
}
