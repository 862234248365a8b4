import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountText } from "../../../lib/amounts.ts";
import { asNew, basket, graded, offer, part } from "./basket-fixture.ts";
import { basketTable, type OfferView } from "./basket-table.ts";
import {
  cheapest,
  chosenIn,
  conflictsOf,
  hasRival,
  inBestCondition,
  orderedWords,
  singleSuppliers,
  toggled,
  totalsOf,
} from "./choosing.ts";

const ids = (views: readonly OfferView[]) => views.map(({ id }) => id).toSorted();

const kit = basketTable(
  [part("a"), part("b"), part("c")],
  basket("M H", offer("M", "a", "5.00"), offer("M", "b", "3.00"), offer("H", "a b", "7.00"), offer("H", "c", "1.00")),
);

describe("choosing offers", () => {
  it("takes back what covers the same part, single or together", () => {
    expect(ids(chosenIn(kit, ["M:a", "M:b"]))).toEqual(["M:a", "M:b"]);
    expect(ids(chosenIn(kit, ["M:a", "M:b", "H:a b"]))).toEqual(["H:a b"]);
    expect(ids(chosenIn(kit, ["H:a b", "H:c", "M:b"]))).toEqual(["H:c", "M:b"]);
  });

  it("tells beforehand what a choice would take back", () => {
    const [together] = chosenIn(kit, ["H:a b"]);
    expect(together && ids(conflictsOf(together, chosenIn(kit, ["M:a", "M:b", "H:c"])))).toEqual(["M:a", "M:b"]);
  });

  it("takes a chosen offer back when it is chosen again", () => {
    const chosen = chosenIn(kit, ["H:c", "M:a"]);
    const [first] = chosen;
    expect(first && ids(toggled(first, chosen))).toEqual(["M:a"]);
  });

  it("forgets remembered offers that the basket no longer has", () => {
    expect(ids(chosenIn(kit, ["gone", "H:c"]))).toEqual(["H:c"]);
  });

  it("never chooses two offers for one part, whatever is clicked in which order", () => {
    const all = [...kit.offers.keys()];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { maxLength: 20 }), (clicks) => {
        const covered = chosenIn(kit, clicks).flatMap(({ partIds }) => partIds);
        expect(new Set(covered).size).toBe(covered.length);
      }),
    );
  });
});

describe("the cheapest and those in the best condition", () => {
  it("takes the offer for two parts when it costs less than the two", () => {
    expect(ids(cheapest(kit, ["a", "b", "c"]))).toEqual(["H:a b", "H:c"]);
  });

  it("takes the two when they cost less than the offer for both", () => {
    const table = basketTable(
      [part("a"), part("b")],
      basket("M H", offer("M", "a", "3.00"), offer("M", "b", "3.00"), offer("H", "a b", "7.00")),
    );
    expect(ids(cheapest(table, ["a", "b"]))).toEqual(["M:a", "M:b"]);
  });

  it("covers as many parts as it can before it looks at the price", () => {
    const table = basketTable(
      [part("a"), part("b")],
      basket("M H", offer("M", "a", "1.00"), offer("H", "a b", "99.00")),
    );
    expect(ids(cheapest(table, ["a", "b"]))).toEqual(["H:a b"]);
  });

  it("compares what all pieces cost, not one", () => {
    const table = basketTable(
      [part("a")],
      basket("M H", offer("M", "a", "2.00", { quantity: 12 }), offer("H", "a", "20.00", { quantity: 1 })),
    );
    expect(ids(cheapest(table, ["a"]))).toEqual(["H:a"]);
  });

  it("looks only at the parts it is asked for", () => {
    expect(ids(cheapest(kit, ["a", "c"]))).toEqual(["H:c", "M:a"]);
    expect(ids(cheapest(kit, []))).toEqual([]);
  });

  it("calls new better than any grade, a grade better than an unstated condition, and of equals the cheaper", () => {
    const table = basketTable(
      [part("a"), part("b"), part("c")],
      basket(
        "M H C",
        offer("M", "a", "9.00", { condition: asNew }),
        offer("H", "a", "8.00", { condition: asNew }),
        offer("C", "a", "1.00", { condition: graded("grade0") }),
        offer("M", "b", "9.00", { condition: graded("grade_c") }),
        offer("H", "b", "9.00", { condition: graded("grade_a") }),
        offer("M", "c", "1.00", { condition: null }),
        offer("C", "c", "2.00", { condition: graded("grade_c") }),
      ),
    );
    expect(ids(inBestCondition(table, ["a", "b", "c"]))).toEqual(["C:c", "H:a", "H:b"]);
  });

  it("takes an offer without a readable price only when there is no other", () => {
    const table = basketTable(
      [part("a"), part("b")],
      basket("M H", offer("M", "a", "on request"), offer("H", "a", "9.00"), offer("M", "b", "?")),
    );
    expect(ids(cheapest(table, ["a", "b"]))).toEqual(["H:a", "M:b"]);
  });

  it("knows which offers have a rival", () => {
    const rivals = [...kit.offers.values()].filter((view) => hasRival(view, kit));
    expect(ids(rivals)).toEqual(["H:a b", "M:a", "M:b"]);
  });
});

describe("totals", () => {
  it("sums exactly, by supplier, with quantities, and sends offers by supplier and row", () => {
    const table = basketTable(
      [part("a"), part("b"), part("c")],
      basket("M H", offer("M", "a", "0.10", { quantity: 3 }), offer("M", "c", "0.20"), offer("H", "b", "1456.3")),
    );
    const totals = totalsOf(table, chosenIn(table, ["M:c", "H:b", "M:a"]));
    expect(amountText(totals.amount)).toBe("1456.80");
    expect([...totals.bySupplier].map(([id, { amount, offers }]) => `${id} ${amountText(amount)} ${offers}`)).toEqual([
      "M 0.50 2",
      "H 1456.30 1",
    ]);
    expect(totals.suppliers.map(({ id }) => id)).toEqual(["M", "H"]);
    expect(totals.sellableIds).toEqual(["M:a", "M:c", "H:b"]);
  });
});

describe("ordering from one supplier alone", () => {
  const single = (table: typeof kit, parts: readonly string[]) =>
    singleSuppliers(table, parts).map(({ name, parts: covered, amount, chosen }) => [
      name,
      covered,
      amountText(amount),
      ids(chosen),
    ]);

  it("is told for each supplier, the one for the most parts first", () => {
    expect(single(kit, ["a", "b", "c"])).toEqual([
      ["Supplier H", 3, "8.00", ["H:a b", "H:c"]],
      ["Supplier M", 2, "8.00", ["M:a", "M:b"]],
    ]);
  });

  it("counts only the parts that are open, and leaves out suppliers with nothing for them", () => {
    expect(single(kit, ["c"])).toEqual([["Supplier H", 1, "1.00", ["H:c"]]]);
    expect(single(kit, [])).toEqual([]);
  });

  it("of equal reach puts the cheaper first, and takes the cheapest of a supplier's own", () => {
    const table = basketTable(
      [part("a")],
      basket("M H", offer("M", "a", "5.00"), offer("H", "a", "4.00"), offer("H", "a", "3.00", { id: "H:used" })),
    );
    expect(single(table, ["a"])).toEqual([
      ["Supplier H", 1, "3.00", ["H:used"]],
      ["Supplier M", 1, "5.00", ["M:a"]],
    ]);
  });
});

const words = (orderedParts: number, all: number) =>
  orderedWords({ orderedParts, table: { rows: Array.from({ length: all }) } });

describe("what is ordered of a basket", () => {
  it("is said of all parts and of some", () => {
    expect([words(8, 8), words(1, 1), words(1, 8), words(3, 8)]).toEqual([
      "All 8 parts are ordered",
      "The only part is ordered",
      "1 of 8 parts is ordered",
      "3 of 8 parts are ordered",
    ]);
  });
});
