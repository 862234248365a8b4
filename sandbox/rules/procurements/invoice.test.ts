import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OfferedItemRecord } from "../records.ts";
import { findInvalidPrice, type InvoiceLine, reconcile } from "./invoice.ts";

const item = (id: string, more: Partial<OfferedItemRecord> = {}): OfferedItemRecord => ({
  id,
  fulfills_source_ids: [],
  description: `Part ${id}`,
  quantity: 1,
  condition: { type: "new", payload: {} },
  inventory: { sellable_id: `sellable-${id}`, warehouse_id: null },
  trade_price: "10.00",
  offer: { sellable_id: `sellable-${id}`, warehouse_id: null, trade_price: "10.00" },
  ...more,
});
const line = (id: string, more: Partial<InvoiceLine> = {}): InvoiceLine => ({
  sellable_id: `sellable-${id}`,
  quantity: 1,
  unit_price: "10.00",
  ...more,
});
const nothing = { matched: [], price_differences: [], quantity_differences: [], missing: [], unexpected: [] };

describe("reconciling an invoice", () => {
  it("matches a line with the ordered item, price and quantity", () => {
    expect(reconcile([item("a"), item("b", { quantity: 3 })], [line("b", { quantity: 3 }), line("a")], "NZD")).toEqual({
      ...nothing,
      matched: [
        { line: 0, offered_item_id: "b" },
        { line: 1, offered_item_id: "a" },
      ],
      ordered_total: "40.00",
      invoiced_total: "40.00",
    });
  });

  it("finds the item by description in any case and spacing if the line has no sellable", () => {
    for (const sellable_id of [null, undefined]) {
      const described = {
        quantity: 1,
        unit_price: "10",
        description: "  pART \t a ",
        ...(sellable_id === undefined ? {} : { sellable_id }),
      };
      expect(reconcile([item("b"), item("a")], [described], "NZD").matched).toEqual([
        { line: 0, offered_item_id: "a" },
      ]);
    }
    expect(reconcile([item("a")], [line("z", { description: "Part a" })], "NZD").unexpected).toEqual([{ line: 0 }]);
    expect(reconcile([item("a")], [{ quantity: 1, unit_price: "10.00" }], "NZD").unexpected).toEqual([{ line: 0 }]);
  });

  it("finds the item by its sellable in either case", () => {
    expect(reconcile([item("a")], [line("a", { sellable_id: "SELLABLE-A" })], "NZD").matched).toHaveLength(1);
  });

  it("reports differences in price, quantity or both, with ordered and invoiced values", () => {
    const result = reconcile(
      [item("a"), item("b"), item("c")],
      [line("a", { unit_price: "11.5" }), line("b", { quantity: 2 }), line("c", { unit_price: "9.99", quantity: 0 })],
      "NZD",
    );
    expect(result).toEqual({
      ...nothing,
      price_differences: [
        { line: 0, offered_item_id: "a", ordered: "10.00", invoiced: "11.5" },
        { line: 2, offered_item_id: "c", ordered: "10.00", invoiced: "9.99" },
      ],
      quantity_differences: [
        { line: 1, offered_item_id: "b", ordered: 1, invoiced: 2 },
        { line: 2, offered_item_id: "c", ordered: 1, invoiced: 0 },
      ],
      ordered_total: "30.00",
      invoiced_total: "31.50",
    });
  });

  it("compares amounts, not their notation, in the currency's digits", () => {
    for (const unit_price of ["10", "10.0", "10.00"])
      expect(reconcile([item("a")], [line("a", { unit_price })], "NZD").matched).toHaveLength(1);
    expect(reconcile([item("a", { trade_price: "1200" })], [line("a", { unit_price: "1200" })], "JPY")).toMatchObject({
      matched: [{ line: 0 }],
      ordered_total: "1200",
    });
  });

  it("lists items that were not invoiced and lines that were not ordered", () => {
    expect(reconcile([item("a", { quantity: 2 })], [line("x")], "NZD")).toEqual({
      ...nothing,
      missing: [{ offered_item_id: "a", description: "Part a", quantity: 2 }],
      unexpected: [{ line: 0 }],
      ordered_total: "20.00",
      invoiced_total: "10.00",
    });
    expect(reconcile([], [], "NZD")).toEqual({ ...nothing, ordered_total: "0.00", invoiced_total: "0.00" });
  });

  it("uses each item once, so a repeated line is unexpected", () => {
    expect(reconcile([item("a")], [line("a"), line("a")], "NZD")).toMatchObject({
      matched: [{ line: 0 }],
      unexpected: [{ line: 1 }],
      missing: [],
    });
    const twins = [
      item("1", { inventory: { sellable_id: "s", warehouse_id: null } }),
      item("2", { inventory: { sellable_id: "s", warehouse_id: null } }),
    ];
    expect(
      reconcile(twins, [line("", { sellable_id: "s" }), line("", { sellable_id: "s" })], "NZD").matched.map(
        (one) => one.offered_item_id,
      ),
    ).toEqual(["1", "2"]);
  });

  it("accounts for every line and every item exactly once", () => {
    const ids = fc.constantFrom("a", "b", "c");
    const items = fc.array(fc.record({ id: ids, quantity: fc.nat({ max: 3 }), cents: fc.nat({ max: 300 }) }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(items, items, (ordered, invoiced) => {
        const records = ordered.map(({ id, quantity, cents }, index) =>
          item(String(index), {
            inventory: { sellable_id: id, warehouse_id: null },
            quantity,
            trade_price: (cents / 100).toFixed(2),
          }),
        );
        const lines = invoiced.map(({ id, quantity, cents }) => ({
          sellable_id: id,
          quantity,
          unit_price: (cents / 100).toFixed(2),
        }));
        const result = reconcile(records, lines, "NZD");
        const met = [...result.matched, ...result.price_differences, ...result.quantity_differences];
        expect(
          [...new Set(met.map((one) => one.line)), ...result.unexpected.map((one) => one.line)].toSorted(),
        ).toEqual(lines.map((_, index) => index).toSorted());
        expect(
          [
            ...new Set(met.map((one) => one.offered_item_id)),
            ...result.missing.map((one) => one.offered_item_id),
          ].toSorted(),
        ).toEqual(records.map((one) => one.id).toSorted());
        expect(result.ordered_total).toBe(
          (ordered.reduce((total, { cents, quantity }) => total + cents * quantity, 0) / 100).toFixed(2),
        );
        expect(result.invoiced_total).toBe(
          (invoiced.reduce((total, { cents, quantity }) => total + cents * quantity, 0) / 100).toFixed(2),
        );
      }),
    );
  });
});

describe("the prices of an invoice", () => {
  it("are amounts in the currency, and the first invalid one is reported", () => {
    expect(findInvalidPrice([line("a"), line("b", { unit_price: "0" })], "NZD")).toBe(-1);
    for (const unit_price of ["", "ten", "1,50", "1.005", "$5", "1e3", " 1", "NaN"])
      expect(
        findInvalidPrice([line("a"), line("b", { unit_price }), line("c", { unit_price: "?" })], "NZD"),
        unit_price,
      ).toBe(1);
    expect(findInvalidPrice([line("a", { unit_price: "1.5" })], "JPY")).toBe(0);
  });

  it("can be added up for a thousand lines of the largest quantity", () => {
    for (const unit_price of ["999999.99", "1000000.00", "9007199254740.99", "90071992547409.91"]) {
      if (findInvalidPrice([line("a", { unit_price })], "NZD") >= 0) continue;
      const lines = Array.from({ length: 1_000 }, () => line("a", { unit_price, quantity: 65_535 }));
      expect(() => reconcile([], lines, "NZD"), unit_price).not.toThrow();
    }
  });
});
