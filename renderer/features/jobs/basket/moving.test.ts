import { describe, expect, it } from "vitest";
import { basket, offer, part } from "./basket-fixture.ts";
import { basketTable } from "./basket-table.ts";
import { firstPlace, moved, offerAt, type Place } from "./moving.ts";

/**
 *      M        H        C
 * a    M:a      –        C:a
 * b    M:b      H:b c    –
 * c    –        (under)  C:c, C:c2
 */
const table = basketTable(
  [part("a"), part("b"), part("c")],
  basket(
    "M H C",
    offer("M", "a", "1"),
    offer("C", "a", "1"),
    offer("M", "b", "1"),
    offer("H", "b c", "1"),
    offer("C", "c", "1"),
    offer("C", "c", "2", { id: "C:c2" }),
  ),
);

const walk = (from: Place, ...keys: readonly string[]) => {
  let place = from;
  const visited: string[] = [];
  for (const key of keys) {
    const next = moved(table, place, key);
    if (next) place = next;
    visited.push(next ? (offerAt(table, next)?.id ?? "?") : "stays");
  }
  return visited;
};

describe("moving through the basket", () => {
  it("begins at the first offer", () => {
    const first = firstPlace(table);
    expect(first && offerAt(table, first)?.id).toBe("M:a");
    expect(firstPlace(basketTable([part("a")], basket("M")))).toBeNull();
  });

  it("goes over cells without an offer and stops at the edge", () => {
    expect(walk({ row: 0, column: 0, index: 0 }, "ArrowRight", "ArrowRight", "ArrowLeft")).toEqual([
      "C:a",
      "stays",
      "M:a",
    ]);
  });

  it("keeps the row it came from while it crosses an offer for two parts", () => {
    expect(walk({ row: 2, column: 2, index: 0 }, "ArrowLeft", "ArrowLeft", "ArrowRight")).toEqual([
      "H:b c",
      "stays",
      "C:c",
    ]);
  });

  it("leaves an offer for two parts downwards and upwards as one", () => {
    expect(walk({ row: 1, column: 1, index: 0 }, "ArrowDown", "ArrowUp")).toEqual(["stays", "stays"]);
    expect(walk({ row: 0, column: 0, index: 0 }, "ArrowDown", "ArrowDown", "ArrowUp")).toEqual(["M:b", "stays", "M:a"]);
  });

  it("goes through several offers in one cell, from above and from below", () => {
    expect(walk({ row: 0, column: 2, index: 0 }, "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp")).toEqual([
      "C:c",
      "C:c2",
      "C:c",
      "C:a",
    ]);
  });

  it("knows the ends of a row and no other key", () => {
    expect(walk({ row: 0, column: 0, index: 0 }, "End", "Home", "x")).toEqual(["C:a", "M:a", "stays"]);
  });
});
