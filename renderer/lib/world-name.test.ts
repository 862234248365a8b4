import { describe, expect, it } from "vitest";
import { copyName, freeName, isWorldName, nameProblem } from "./world-name.ts";

describe("a world's name", () => {
  it("is valid if it is free and fits into a header", () =>
    expect(nameProblem("harbour-qa_2.0", ["default"])).toBeNull());
  it("lists the allowed characters", () => {
    for (const name of ["harbour/qa", "harbour qa", "håfen"])
      expect(nameProblem(name, [])).toBe("Use only letters, digits, dots, underscores and hyphens.");
  });
  it("must not be empty, too long or taken", () => {
    expect(nameProblem("", [])).toContain("needs a name");
    expect(nameProblem("x".repeat(65), [])).toContain("this one has 65");
    expect(nameProblem("qa", ["default", "qa"])).toContain("A world named qa already");
  });
  it("is case-sensitive", () => expect(nameProblem("QA", ["qa"])).toBeNull());
  it("has the same form as in an address", () => {
    expect(isWorldName("x".repeat(64))).toBe(true);
    expect(isWorldName("x".repeat(65))).toBe(false);
    expect(isWorldName("a b")).toBe(false);
  });
});

describe("the name of a copy", () => {
  it("follows the original's and is free", () => {
    expect(copyName("qa", ["qa"])).toBe("qa-copy");
    expect(copyName("qa", ["qa", "qa-copy", "qa-copy-2"])).toBe("qa-copy-3");
  });
  it("is valid even after the longest original", () => {
    expect(copyName("x".repeat(64), [])).toHaveLength(64);
    expect(copyName("x".repeat(64), [])).toMatch(/-copy$/);
  });
});

describe("the suggested name of an imported world", () => {
  it("is its own if free, else a similar one, and always valid", () => {
    expect(freeName("qa", ["default"])).toBe("qa");
    expect(freeName("qa", ["default", "qa"])).toBe("qa-copy");
    expect(freeName("../../etc", [])).toBe("imported");
    expect(freeName(undefined, ["imported"])).toBe("imported-copy");
  });
});
