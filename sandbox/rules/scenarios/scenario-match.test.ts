import { describe, expect, it } from "vitest";
import { isPattern, matchesPattern } from "./scenario-match.ts";

describe("a regular expression of a file", () => {
  it("matches anywhere in a text, unless anchored", () => {
    expect(matchesPattern("^isk_", "isk_1")).toBe(true);
    expect(matchesPattern("b", "abc")).toBe(true);
    expect(matchesPattern("^[0-9a-f-]{36}$", "0f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01")).toBe(true);
    expect(matchesPattern("^b", "abc")).toBe(false);
  });

  it("may use all of RE2's syntax", () => {
    expect(["", "a|b", "(?i)x"].map(isPattern)).toEqual([true, true, true]);
  });

  it("is refused if invalid, with lookaround, or too large", () => {
    for (const pattern of ["(", "(?=a)", "(a)\\1", "((a{30}){30}){30}", "a{900}b{900}", 1])
      expect(isPattern(pattern), String(pattern)).toBe(false);
  });

  it("takes time proportional to the text", () => {
    const seconds = (length: number): number => {
      const began = performance.now();
      for (let times = 0; times < 5; times += 1) matchesPattern("(a+)+$", `${"a".repeat(length)}!`);
      return (performance.now() - began) / 1_000;
    };
    seconds(1_000);
    expect(seconds(60_000)).toBeLessThan(10);
    expect(matchesPattern("^(a+)+$", "a".repeat(70_000))).toBe(false);
  });
});
