import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asNew, basket, graded, offer, part } from "../../../testing/baskets.ts";
import { amountText } from "./amounts.ts";
import { basketTable, type OfferView } from "./basket-table.ts";
import {
  basketTotals,
  byCondition,
  byPrice,
  chooseOffers,
  conflictingOffers,
  findChosen,
  isBestCondition,
  isCheapest,
  toggleOffer,
} from "./choosing.ts";

const ids = (views: readonly OfferView[]) => views.map(({ id }) => id).toSorted();

const kit = basketTable(
  [part("a"), part("b"), part("c")],
  basket("M H", offer("M", "a", "5.00"), offer("M", "b", "3.00"), offer("H", "a b", "7.00"), offer("H", "c", "1.00")),
);

describe("the choice of offers", () => {
  it("drops offers for the same parts, single or combined", () => {
    const clicked = (...ids: readonly string[]) =>
      ids.reduce<OfferView[]>((chosen, id) => {
        const view = kit.offers.get(id);
        return view ? toggleOffer(view, chosen) : chosen;
      }, []);
    expect(ids(clicked("M:a", "M:b"))).toEqual(["M:a", "M:b"]);
    expect(ids(clicked("M:a", "M:b", "H:a b"))).toEqual(["H:a b"]);
    expect(ids(clicked("H:a b", "H:c", "M:b"))).toEqual(["H:c", "M:b"]);
  });

  it("lists the offers that a choice would drop", () => {
    const [together] = findChosen(kit, ["H:a b"]);
    expect(together && ids(conflictingOffers(together, findChosen(kit, ["M:a", "M:b", "H:c"])))).toEqual([
      "M:a",
      "M:b",
    ]);
  });

  it("drops a chosen offer when it is chosen again", () => {
    const chosen = findChosen(kit, ["H:c", "M:a"]);
    const [first] = chosen;
    expect(first && ids(toggleOffer(first, chosen))).toEqual(["M:a"]);
  });

  it("drops offers that left the basket", () => {
    expect(ids(findChosen(kit, ["gone", "H:c"]))).toEqual(["H:c"]);
  });

  it("never has two offers for one part, whatever the order of clicks", () => {
    const all = [...kit.offers.keys()];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { maxLength: 20 }), (clicks) => {
        const covered = findChosen(kit, clicks).flatMap(({ partIds }) => partIds);
        expect(new Set(covered).size).toBe(covered.length);
      }),
    );
  });
});

describe("automatic choice", () => {
  it("takes a combined offer that costs less than two single ones", () => {
    expect(ids(chooseOffers(kit, ["a", "b", "c"], byPrice))).toEqual(["H:a b", "H:c"]);
  });

  it("takes two single offers that cost less than a combined one", () => {
    const table = basketTable(
      [part("a"), part("b")],
      basket("M H", offer("M", "a", "3.00"), offer("M", "b", "3.00"), offer("H", "a b", "7.00")),
    );
    expect(ids(chooseOffers(table, ["a", "b"], byPrice))).toEqual(["M:a", "M:b"]);
  });

  it("covers as many parts as possible before it compares prices", () => {
    const table = basketTable(
      [part("a"), part("b")],
      basket("M H", offer("M", "a", "1.00"), offer("H", "a b", "99.00")),
    );
    expect(ids(chooseOffers(table, ["a", "b"], byPrice))).toEqual(["H:a b"]);
  });

  it("compares total prices, not prices per piece", () => {
    const table = basketTable(
      [part("a")],
      basket("M H", offer("M", "a", "2.00", { quantity: 12 }), offer("H", "a", "20.00", { quantity: 1 })),
    );
    expect(ids(chooseOffers(table, ["a"], byPrice))).toEqual(["H:a"]);
  });

  it("considers only the given parts", () => {
    expect(ids(chooseOffers(kit, ["a", "c"], byPrice))).toEqual(["H:c", "M:a"]);
    expect(ids(chooseOffers(kit, [], byPrice))).toEqual([]);
  });

  it("ranks new above any grade, a grade above unstated, and equals by price", () => {
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
    expect(ids(chooseOffers(table, ["a", "b", "c"], byCondition))).toEqual(["C:c", "H:a", "H:b"]);
  });

  it("marks offers that beat a rival, including ties", () => {
    const table = basketTable(
      [part("a"), part("b"), part("c")],
      basket(
        "M H C",
        offer("M", "a", "9.00", { condition: asNew }),
        offer("H", "a", "8.00", { condition: asNew }),
        offer("C", "a", "1.00", { condition: graded("grade0") }),
        offer("M", "b c", "9.00", { condition: asNew }),
        offer("H", "b", "5.00", { condition: graded("grade_a") }),
      ),
    );
    const views = [...table.offers.values()];
    expect(ids(views.filter((view) => isBestCondition(table, view)))).toEqual(["H:a", "M:a", "M:b c"]);
    expect(ids(views.filter((view) => isCheapest(table, view)))).toEqual(["C:a", "M:b c"]);
    // The offer for one part, and the combined one that "Choose cheapest" takes.
    expect(ids([...kit.offers.values()].filter((view) => isCheapest(kit, view)))).toEqual(["H:a b", "M:b"]);
  });

  it("marks none when all conditions are equal", () => {
    const table = basketTable([part("a")], basket("M H", offer("M", "a", "9.00"), offer("H", "a", "8.00")));
    expect([...table.offers.values()].filter((view) => isBestCondition(table, view))).toEqual([]);
  });

  it("takes an offer without a readable price only if it is the only one", () => {
    const table = basketTable(
      [part("a"), part("b")],
      basket("M H", offer("M", "a", "on request"), offer("H", "a", "9.00"), offer("M", "b", "?")),
    );
    expect(ids(chooseOffers(table, ["a", "b"], byPrice))).toEqual(["H:a", "M:b"]);
  });
});

describe("totals", () => {
  it("sums exactly, by supplier, with quantities, and sends offers by supplier", () => {
    const table = basketTable(
      [part("a"), part("b"), part("c")],
      basket("M H", offer("M", "a", "0.10", { quantity: 3 }), offer("M", "c", "0.20"), offer("H", "b", "1456.3")),
    );
    const totals = basketTotals(table, findChosen(table, ["M:c", "H:b", "M:a"]));
    expect(amountText(totals.amount)).toBe("1456.80");
    expect([...totals.bySupplier].map(([id, { amount, offers }]) => `${id} ${amountText(amount)} ${offers}`)).toEqual([
      "M 0.50 2",
      "H 1456.30 1",
    ]);
    expect(totals.suppliers.map(({ id }) => id)).toEqual(["M", "H"]);
    expect(totals.sellableIds).toEqual(["M:c", "M:a", "H:b"]);
  });
});
