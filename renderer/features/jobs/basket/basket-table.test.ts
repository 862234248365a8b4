import { describe, expect, it } from "vitest";
import { basket, offer, part } from "./basket-fixture.ts";
import { basketTable, type Cell, firstPlace, moved, offerAt, type Place } from "./basket-table.ts";

const written = ({ offers, span }: Cell): string => {
  if (span === 0) return "under";
  return (offers.map(({ id }) => id).join("|") || "none") + (span > 1 ? `↓${span}` : "");
};

const rowsOf = (...given: Parameters<typeof basketTable>) =>
  basketTable(...given).rows.map(({ part: { id }, cells }) => [id, ...cells.map(written)].join(" / "));

describe("the basket as a table", () => {
  it("sets each offer where its part's row and its supplier's column meet", () => {
    const table = rowsOf([part("a"), part("b")], basket("M H", offer("M", "a", "1.00"), offer("H", "b", "2.00")));
    expect(table).toEqual(["a / M:a / none", "b / none / H:b"]);
  });

  it("lets one offer for two parts reach over both rows", () => {
    const parts = [part("a"), part("b"), part("c")];
    const table = rowsOf(parts, basket("M", offer("M", "a", "1"), offer("M", "b c", "2")));
    expect(table).toEqual(["a / M:a", "b / M:b c↓2", "c / under"]);
  });

  it("brings the parts of one offer next to each other, at the place of the first", () => {
    const parts = [part("a"), part("b"), part("c")];
    expect(rowsOf(parts, basket("M", offer("M", "a c", "2")))).toEqual(["a / M:a c↓2", "c / under", "b / none"]);
  });

  it("repeats the offer in each of its rows when its supplier offers one of the parts alone as well", () => {
    const table = rowsOf([part("a"), part("b")], basket("M", offer("M", "a b", "2"), offer("M", "a", "1")));
    expect(table).toEqual(["a / M:a b|M:a", "b / M:a b"]);
  });

  it("repeats the offer where another one keeps its rows apart", () => {
    const parts = [part("a"), part("b"), part("c")];
    const table = rowsOf(parts, basket("M H", offer("M", "a c", "2"), offer("H", "a b", "1")));
    expect(table).toEqual(["a / M:a c / H:a b↓2", "b / none / under", "c / M:a c / none"]);
  });

  it("leaves out offers for parts the job no longer has, and counts what each supplier covers", () => {
    const { columns, offers } = basketTable(
      [part("a"), part("b")],
      basket("M", offer("M", "gone", "1"), offer("M", "a gone", "1"), offer("M", "b", "1")),
    );
    expect([...offers.keys()]).toEqual(["M:a gone", "M:b"]);
    expect(columns.map(({ id, parts }) => `${id} ${parts}`)).toEqual(["M 2"]);
  });

  it("gives a supplier the answer does not list a column under its identifier", () => {
    const { columns } = basketTable([part("a")], basket("M", offer("M", "a", "1"), offer("X", "a", "1")));
    expect(columns.map(({ name }) => name)).toEqual(["Supplier M", "X"]);
  });

  it("knows a part's quantity only when all offers for it alone agree", () => {
    const answer = basket(
      "M H",
      offer("M", "a", "1", { quantity: 12 }),
      offer("H", "a", "1", { quantity: 12 }),
      offer("M", "b", "1", { quantity: 2 }),
      offer("H", "b", "1", { quantity: 3 }),
    );
    const { rows } = basketTable([part("a"), part("b"), part("c")], answer);
    expect(rows.map(({ quantity }) => quantity)).toEqual([12, null, null]);
  });
});

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
