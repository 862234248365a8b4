import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seedMedia } from "./seed-media.ts";

const folder = new URL("./media/", import.meta.url);

describe("the seeded pictures", () => {
  it("all exist, as WebP of at most 40 kB, beside their source drawing", () => {
    for (const { file } of seedMedia) {
      const bytes = fs.readFileSync(new URL(file, folder));
      expect(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12), file).toBe("RIFFWEBP");
      expect(bytes.length, file).toBeLessThan(40_000);
      expect(fs.existsSync(new URL(file.replace(".webp", ".svg"), folder)), file).toBe(true);
    }
    expect(fs.readdirSync(folder).length).toBe(2 * seedMedia.length);
  });
});
