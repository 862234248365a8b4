import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { GalleryPage } from "../pages/gallery-page.ts";

const fileNameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

for (const colorScheme of ["light", "dark"] as const) {
  test(`every component in every state looks as it did, in the ${colorScheme}`, async ({ explorer }) => {
    test.slow();
    await explorer.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await explorer.setViewportSize({ width: 1308, height: 1_000 });
    const gallery = new GalleryPage(explorer);
    await gallery.goto();
    await expectAccessible(explorer);
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
