import { describe, expect, it } from "vitest";
import { anchorShift } from "./scroll-anchor.ts";
import { GROUP_HEIGHT, listRows } from "./virtual-rows.ts";

const ROW = 48;
const rows = (letters: string) =>
  listRows(
    [...letters],
    (letter) => letter,
    (letter) => (letter < "m" ? "first" : "second"),
  ).rows;

describe("what the scroll position follows", () => {
  it("is the height of what came or went above the row in sight", () => {
    expect(anchorShift(rows("abcdef"), rows("xabcdef".slice(1)), 3 * ROW, ROW)).toBe(0);
    expect(anchorShift(rows("bcdef"), rows("abcdef"), 3 * ROW, ROW)).toBe(ROW);
    expect(anchorShift(rows("abcdef"), rows("cdef"), 3 * ROW, ROW)).toBe(-2 * ROW);
  });

  it("counts the heads of groups", () =>
    expect(anchorShift(rows("anop"), rows("nop"), 3 * ROW, ROW)).toBe(-ROW - GROUP_HEIGHT));

  it("is nothing when rows come or go below", () => {
    expect(anchorShift(rows("abcdef"), rows("abcd"), ROW, ROW)).toBe(0);
    expect(anchorShift(rows("abc"), rows("abcdef"), ROW, ROW)).toBe(0);
  });

  it("holds on to the next row when the one in sight is gone", () =>
    expect(anchorShift(rows("abcdef"), rows("abdef"), GROUP_HEIGHT + 2 * ROW, ROW)).toBe(-ROW));

  it("is nothing when no row stayed", () => {
    expect(anchorShift(rows("abc"), rows("def"), ROW, ROW)).toBe(0);
    expect(anchorShift(rows("abc"), [], ROW, ROW)).toBe(0);
  });
});
