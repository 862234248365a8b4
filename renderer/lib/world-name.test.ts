import { describe, expect, it } from "vitest";
import { copyName, isWorldName, nameProblem } from "./world-name.ts";

describe("a world's name", () => {
  it("is taken when it is free and made of what a header may carry", () =>
    expect(nameProblem("harbour-qa_2.0", ["default"])).toBeNull());
  it("says which characters it can have", () => {
    for (const name of ["harbour/qa", "harbour qa", "håfen"])
      expect(nameProblem(name, [])).toBe("Use only letters, digits, dots, underscores and hyphens.");
  });
  it("says when there is none, when it is too long and when it is taken", () => {
    expect(nameProblem("", [])).toContain("needs a name");
    expect(nameProblem("x".repeat(65), [])).toContain("this one has 65");
    expect(nameProblem("qa", ["default", "qa"])).toContain("A world named qa already");
  });
  it("differs by its case", () => expect(nameProblem("QA", ["qa"])).toBeNull());
  it("agrees with the form in an address", () => {
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
  it("stays a name when the original's is as long as can be", () => {
    expect(copyName("x".repeat(64), [])).toHaveLength(64);
    expect(copyName("x".repeat(64), [])).toMatch(/-copy$/);
  });
});
