import { expect, it } from "vitest";
import { listRows } from "./virtual-rows.ts";

it("puts a head in front of each group and knows where each item's row is", () => {
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

it("has no heads without groups", () => expect(listRows(["a", "b"], (item) => item).rows).toHaveLength(2));
