import { describe, expect, it } from "vitest";
import { anchorShift, GROUP_HEIGHT, listRows } from "./list-rows.ts";

describe("the rows of a list", () => {
  it("have a head in front of each group, and it is known where each item's row is", () => {
    const { rows, positions } = listRows(
      ["a1", "a2", "b1"],
      (item) => item,
      (item) => item.charAt(0),
    );
    expect(rows.map((row) => (row.kind === "group" ? `[${row.group}]` : row.key))).toEqual([
      "[a]",
      "a1",
      "a2",
      "[b]",
      "b1",
    ]);
    expect(positions.get("b1")).toBe(4);
  });

  it("have no heads without groups", () => expect(listRows(["a", "b"], (item) => item).rows).toHaveLength(2));
});

const ROW = 48;
const rowsOf = (letters: string) =>
  listRows(
    [...letters],
    (letter) => letter,
    (letter) => (letter < "m" ? "first" : "second"),
  ).rows;

describe("what the scroll position follows", () => {
  it("is the height of what came or went above the row in sight", () => {
    expect(anchorShift(rowsOf("abcdef"), rowsOf("xabcdef".slice(1)), 3 * ROW, ROW)).toBe(0);
    expect(anchorShift(rowsOf("bcdef"), rowsOf("abcdef"), 3 * ROW, ROW)).toBe(ROW);
    expect(anchorShift(rowsOf("abcdef"), rowsOf("cdef"), 3 * ROW, ROW)).toBe(-2 * ROW);
  });

  it("counts the heads of groups", () =>
    expect(anchorShift(rowsOf("anop"), rowsOf("nop"), 3 * ROW, ROW)).toBe(-ROW - GROUP_HEIGHT));

  it("is nothing when rows come or go below", () => {
    expect(anchorShift(rowsOf("abcdef"), rowsOf("abcd"), ROW, ROW)).toBe(0);
    expect(anchorShift(rowsOf("abc"), rowsOf("abcdef"), ROW, ROW)).toBe(0);
  });

  it("holds on to the next row when the one in sight is gone", () =>
    expect(anchorShift(rowsOf("abcdef"), rowsOf("abdef"), GROUP_HEIGHT + 2 * ROW, ROW)).toBe(-ROW));

  it("is nothing when no row stayed", () => {
    expect(anchorShift(rowsOf("abc"), rowsOf("def"), ROW, ROW)).toBe(0);
    expect(anchorShift(rowsOf("abc"), [], ROW, ROW)).toBe(0);
  });
});
