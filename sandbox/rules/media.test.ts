import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectImageType, IMAGE_HEAD_BYTES, mediaName } from "./media.ts";

const BASE = "http://127.0.0.1/__media/id/";

describe("the name in a file's address", () => {
  it("D64: is the file's own", () => {
    expect(mediaName("front left.png")).toBe("front%20left.png");
    expect(mediaName("b?c#d;e.png")).toBe("b%3Fc%23d%3Be.png");
  });

  it("D64: is the part after the last slash, so that a proxy can't change the path", () => {
    expect(mediaName("../../etc/passwd")).toBe("passwd");
    expect(mediaName("C:\\cars/front\\left.png")).toBe("left.png");
    for (const name of ["a/", "a\\", "a/..", "a\\."]) expect(mediaName(name)).toBe("file");
  });

  it("is replaced if an address can't end in it", () => {
    for (const name of ["", ".", ".."]) expect(mediaName(name)).toBe("file");
    for (const name of ["...", ".png", "%2e%2e"]) expect(decodeURIComponent(mediaName(name))).toBe(name);
  });

  it("is the end of a long one, which keeps the extension", () => {
    expect(mediaName(`${"x".repeat(4_000)}.png`)).toBe(`${"x".repeat(46)}.png`);
    expect(decodeURIComponent(mediaName("\u{1f697}".repeat(4_096)))).toHaveLength(100);
  });

  it("stays below its own address and within its length", () => {
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

const padded = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    Buffer.alloc(IMAGE_HEAD_BYTES),
  ]).subarray(0, IMAGE_HEAD_BYTES);

describe("the type of an image", () => {
  it("D64: is detected from its first bytes", () => {
    const images: [string, Uint8Array][] = [
      ["image/png", padded([0x89], "PNG\r\n\x1a\n")],
      ["image/jpeg", padded([0xff, 0xd8, 0xff, 0xe0])],
      ["image/jpeg", padded([0xff, 0xd8, 0xff, 0xdb])],
      ["image/webp", padded("RIFF", [1, 2, 3, 4], "WEBP")],
      ["image/gif", padded("GIF87a")],
      ["image/gif", padded("GIF89a")],
      ["image/heic", padded([0, 0, 0, 24], "ftypheic")],
      ["image/heic", padded([0, 0, 0, 24], "ftypmif1")],
    ];
    for (const [type, head] of images) expect(detectImageType(head)).toBe(type);
  });

  it("D64: is null for anything else, such as what a browser would run", () => {
    for (const head of [
      "<svg xmlns=",
      "<!DOCTYPE html>",
      "<html>",
      "%PDF-1.7",
      "GIF88a",
      "RIFF1234WAVE",
      "RIFF",
      "BM",
      "\x89PNG\r\n\x1a",
      " GIF89a",
      "1234ftypisom",
      "1234ftypavif",
      "\x89PNG\n\n\x1a\n",
      "",
    ]) {
      expect(detectImageType(Buffer.from(head, "latin1")), head).toBeNull();
    }
    expect(detectImageType(Buffer.of(0xff, 0xd8))).toBeNull();
  });
});
