import { describe, expect, it } from "vitest";
import { IMAGE_HEAD_BYTES, imageTypeOf } from "./image-type.ts";

const padded = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    Buffer.alloc(IMAGE_HEAD_BYTES),
  ]).subarray(0, IMAGE_HEAD_BYTES);

describe("the type of an image", () => {
  it("D64: is known by its first bytes", () => {
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
    for (const [type, head] of images) expect(imageTypeOf(head)).toBe(type);
  });

  it("D64: is none for anything else, above all not for what a browser would run", () => {
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
      expect(imageTypeOf(Buffer.from(head, "latin1")), head).toBeNull();
    }
    expect(imageTypeOf(Buffer.of(0xff, 0xd8))).toBeNull();
  });
});
