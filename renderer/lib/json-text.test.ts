import { describe, expect, it } from "vitest";
import { pointerAt, pointerOf, rangesIn } from "./json-text.ts";

const text = `{
  "identity": { "external": "estimate:1" },
    "claim_number": "LRM-1",
  "images": ["a", "b"]
}`;

describe("a pointer", () => {
  it("names a path, and a place in the text leads back to it", () => {
    expect(pointerOf(["a/b", 0, "~"])).toBe("/a~1b/0/~0");
    expect(pointerAt(text, text.indexOf("LRM"))).toBe("/claim_number");
    expect(pointerAt(text, text.indexOf('"b"') + 1)).toBe("/images/1");
  });
  it("leads to the field with its name, and to what lacks a missing one", () => {
    const { from, to } = rangesIn(text)("/claim_number");
    expect(text.slice(from, to)).toBe('"claim_number": "LRM-1"');
    const missing = rangesIn(text)("/identity/id");
    expect(text.slice(missing.from, missing.to)).toBe('"identity": {');
    expect(rangesIn("")("/a")).toEqual({ from: 0, to: 0 });
  });
});
