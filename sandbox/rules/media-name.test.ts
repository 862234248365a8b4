import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mediaName } from "./media-name.ts";

const BASE = "http://127.0.0.1/__media/id/";

describe("the name an uploaded file is served under", () => {
  it("D64: is the file's own", () => {
    expect(mediaName("front left.png")).toBe("front%20left.png");
    expect(mediaName("b?c#d;e.png")).toBe("b%3Fc%23d%3Be.png");
  });

  it("D64: is what follows its last slash, so that no proxy's path rules change it", () => {
    expect(mediaName("../../etc/passwd")).toBe("passwd");
    expect(mediaName("C:\\cars/front\\left.png")).toBe("left.png");
    for (const name of ["a/", "a\\", "a/..", "a\\."]) expect(mediaName(name)).toBe("file");
  });

  it("is another where an address cannot end in it", () => {
    for (const name of ["", ".", ".."]) expect(mediaName(name)).toBe("file");
    for (const name of ["...", ".png", "%2e%2e"]) expect(decodeURIComponent(mediaName(name))).toBe(name);
  });

  it("is the end of a long one, so that it keeps what kind of file it is", () => {
    expect(mediaName(`${"x".repeat(4_000)}.png`)).toBe(`${"x".repeat(46)}.png`);
    expect(decodeURIComponent(mediaName("\u{1f697}".repeat(4_096)))).toHaveLength(100);
  });

  it("always leads below its own address, and fits into it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }).filter((name) => name.isWellFormed()),
        (name) => {
          const url = new URL(BASE + mediaName(name));
          const part = url.pathname.slice("/__media/id/".length);
          expect(url.href).toBe(BASE + part);
          expect(part).toMatch(/^[^/?#]+$/);
          expect(part).not.toMatch(/%2f|%5c/i);
          expect(decodeURIComponent(part).length).toBeLessThanOrEqual(100);
          expect(url.href.length).toBeLessThan(2_048);
        },
      ),
    );
  });
});
