import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAbsoluteUrl, isText, isUuid } from "./schema.ts";

const ID = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";

describe("the contract's formats", () => {
  it("accept a UUID of any version and case, only in its canonical form", () => {
    for (const good of [
      ID,
      ID.toUpperCase(),
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ])
      expect(isUuid(good), good).toBe(true);
    for (const bad of [
      "",
      ID.replaceAll("-", ""),
      `{${ID}}`,
      `urn:uuid:${ID}`,
      `${ID}\n`,
      ` ${ID}`,
      ID.replace("0", "g"),
      `${ID}0`,
    ])
      expect(isUuid(bad), bad).toBe(false);
  });

  it("D37: accept only an absolute http or https URL", () => {
    for (const good of ["http://a.test", "HTTPS://A.test/x?y#z", "https://[::1]:8080/", "https://münchen.test/ö"])
      expect(isAbsoluteUrl(good), good).toBe(true);
    for (const bad of [
      "",
      "a.test",
      "//a.test/x",
      "/x",
      "http:",
      "http://",
      "https:a.test",
      "ftp://a.test/",
      "javascript:alert(1)",
      "data:image/png,x",
      " https://a.test",
      "https://a b.test/",
      "https://a.test/\u0000",
    ]) {
      expect(isAbsoluteUrl(bad), bad).toBe(false);
    }
  });

  it("D9: accept exactly the text that UTF-8 keeps unchanged, without U+0000", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat({ max: 0xff_ff }).map((code) => String.fromCharCode(code)) }), (text) => {
        const unchanged = Buffer.from(text, "utf8").toString("utf8") === text;
        expect(isText(text)).toBe(unchanged && !text.includes("\u0000"));
      }),
    );
  });
});
