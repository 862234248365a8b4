import { describe, expect, it } from "vitest";
import { isClean, type Reconciliation, tallyOf, verdictsOf } from "./verdicts.ts";

const result: Reconciliation = {
  matched: [{ line: 0, offered_item_id: "a" }],
  price_differences: [{ line: 1, offered_item_id: "b", ordered: "10.00", invoiced: "11.50" }],
  quantity_differences: [{ line: 1, offered_item_id: "b", ordered: 2, invoiced: 3 }],
  missing: [{ offered_item_id: "c", description: "Bonnet", quantity: 1 }],
  unexpected: [{ line: 2 }],
  ordered_total: "30.00",
  invoiced_total: "44.50",
};

describe("what the reconciliation says", () => {
  it("of each line: matched, different in price and quantity, or not ordered", () =>
    expect(verdictsOf(result, 3)).toEqual([
      { kind: "matched", price: null, quantity: null },
      { kind: "differs", price: "10.00", quantity: 2 },
      { kind: "unexpected", price: null, quantity: null },
    ]));

  it("in all, kind by kind", () => {
    expect(tallyOf(result).map(({ kind, count }) => `${count} ${kind}`)).toEqual([
      "1 matched",
      "1 price",
      "1 quantity",
      "1 missing",
      "1 unexpected",
    ]);
    expect(isClean(result)).toBe(false);
    expect(isClean({ ...result, price_differences: [], quantity_differences: [], missing: [], unexpected: [] })).toBe(
      true,
    );
  });
});
