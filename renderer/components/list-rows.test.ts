import { describe, expect, it } from "vitest";
import { anchorShift, GROUP_HEIGHT, listRows } from "./list-rows.ts";

describe("the rows of a list", () => {
  it("have a header before each group, and a known position for each item", () => {
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

  it("have no headers without groups", () => expect(listRows(["a", "b"], (item) => item).rows).toHaveLength(2));
});

const ROW = 48;
const rowsOf = (letters: string) =>
  listRows(
    [...letters],
    (letter) => letter,
    (letter) => (letter < "m" ? "first" : "second"),
  ).rows;

describe("the scroll shift", () => {
  it("equals the height added or removed above the visible row", () => {
    expect(anchorShift(rowsOf("abcdef"), rowsOf("xabcdef".slice(1)), 3 * ROW, ROW)).toBe(0);
    expect(anchorShift(rowsOf("bcdef"), rowsOf("abcdef"), 3 * ROW, ROW)).toBe(ROW);
    expect(anchorShift(rowsOf("abcdef"), rowsOf("cdef"), 3 * ROW, ROW)).toBe(-2 * ROW);
  });

  it("includes group headers", () =>
    expect(anchorShift(rowsOf("anop"), rowsOf("nop"), 3 * ROW, ROW)).toBe(-ROW - GROUP_HEIGHT));

  it("is zero for changes below", () => {
    expect(anchorShift(rowsOf("abcdef"), rowsOf("abcd"), ROW, ROW)).toBe(0);
    expect(anchorShift(rowsOf("abc"), rowsOf("abcdef"), ROW, ROW)).toBe(0);
  });

  it("follows the next row if the visible one is removed", () =>
    expect(anchorShift(rowsOf("abcdef"), rowsOf("abdef"), GROUP_HEIGHT + 2 * ROW, ROW)).toBe(-ROW));

  it("is zero if no row remains", () => {
    expect(anchorShift(rowsOf("abc"), rowsOf("def"), ROW, ROW)).toBe(0);
    expect(anchorShift(rowsOf("abc"), [], ROW, ROW)).toBe(0);
  });
});
