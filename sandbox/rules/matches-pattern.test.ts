import { expect, it } from "vitest";
import { matchesPattern } from "./matches-pattern.ts";

it("matches as a regular expression does", () => {
  expect(matchesPattern("^isk_[0-9a-f]+$", "isk_00ff")).toBe(true);
  expect(matchesPattern("^isk_", "sbx_00ff")).toBe(false);
  expect(matchesPattern("^\\p{L}+$", "Ōtara")).toBe(true);
});

it("gives a pattern up that would not end", () => {
  expect(matchesPattern("^(a+)+$", `${"a".repeat(60)}!`)).toBe(false);
});
