import { describe, expect, it } from "vitest";
import { basket, offer, part } from "../../../testing/baskets.ts";
import { basketTable, type Cell } from "./basket-table.ts";

const written = ({ offers, span }: Cell): string => {
  if (span === 0) return "under";
  return (offers.map(({ id }) => id).join("|") || "none") + (span > 1 ? `↓${span}` : "");
};

const rowsOf = (...given: Parameters<typeof basketTable>) =>
  basketTable(...given)
    .blocks.flat()
    .map(({ part: { id }, cells }) => [id, ...cells.map(written)].join(" / "));

describe("the basket as a table", () => {
  it("puts each offer in the row of its part and the column of its supplier", () => {
    const table = rowsOf([part("a"), part("b")], basket("M H", offer("M", "a", "1.00"), offer("H", "b", "2.00")));
    expect(table).toEqual(["a / M:a / none", "b / none / H:b"]);
  });

  it("spans one offer for two parts over both rows", () => {
    const parts = [part("a"), part("b"), part("c")];
    const table = rowsOf(parts, basket("M", offer("M", "a", "1"), offer("M", "b c", "2")));
    expect(table).toEqual(["a / M:a", "b / M:b c↓2", "c / under"]);
    const { blocks } = basketTable(parts, basket("M", offer("M", "a", "1"), offer("M", "b c", "2")));
    expect(blocks.map((rows) => rows.map(({ part: { id } }) => id))).toEqual([["a"], ["b", "c"]]);
  });

  it("moves the parts of one offer together, to the first one's place", () => {
    const parts = [part("a"), part("b"), part("c")];
    expect(rowsOf(parts, basket("M", offer("M", "a c", "2")))).toEqual(["a / M:a c↓2", "c / under", "b / none"]);
  });

  it("repeats an offer in each row if its supplier also offers one part alone", () => {
    const table = rowsOf([part("a"), part("b")], basket("M", offer("M", "a b", "2"), offer("M", "a", "1")));
    expect(table).toEqual(["a / M:a b|M:a", "b / M:a b"]);
  });

  it("repeats an offer if another one separates its rows", () => {
    const parts = [part("a"), part("b"), part("c")];
    const table = rowsOf(parts, basket("M H", offer("M", "a c", "2"), offer("H", "a b", "1")));
    expect(table).toEqual(["a / M:a c↓2 / H:a b", "c / under / none", "b / none / H:a b"]);
  });

  it("omits offers for removed parts, and counts the parts of each supplier", () => {
    const { columns, offers } = basketTable(
      [part("a"), part("b")],
      basket("M", offer("M", "gone", "1"), offer("M", "a gone", "1"), offer("M", "b", "1")),
    );
    expect([...offers.keys()]).toEqual(["M:a gone", "M:b"]);
    expect(columns.map(({ id, parts }) => `${id} ${parts}`)).toEqual(["M 2"]);
  });

  it("adds a column for a supplier that the response doesn't list", () => {
    const { columns } = basketTable([part("a")], basket("M", offer("M", "a", "1"), offer("X", "a", "1")));
    expect(columns.map(({ name }) => name)).toEqual(["Supplier M", "X"]);
  });

  it("shows a part's quantity only if all single offers agree", () => {
    const answer = basket(
      "M H",
      offer("M", "a", "1", { quantity: 12 }),
      offer("H", "a", "1", { quantity: 12 }),
      offer("M", "b", "1", { quantity: 2 }),
      offer("H", "b", "1", { quantity: 3 }),
    );
    const { blocks } = basketTable([part("a"), part("b"), part("c")], answer);
    expect(blocks.flat().map(({ quantity }) => quantity)).toEqual([12, null, null]);
  });
});
