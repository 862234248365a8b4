import { describe, expect, it } from "vitest";
import { amountText } from "../../../lib/amounts.ts";
import {
  amountOf,
  emptyLine,
  type InvoiceLine,
  isClean,
  linesOfOrder,
  quantityIn,
  type Reconciliation,
  refusedIn,
  requestOf,
  restoredLines,
  tallyOf,
  totalOf,
  verdictOn,
} from "./invoice-lines.ts";

const line = (over: Partial<InvoiceLine> = {}): InvoiceLine => ({
  key: "k",
  sellable_id: "s-1",
  description: "Bonnet",
  quantity: "2",
  unit_price: "884.75",
  ...over,
});

describe("the lines of an invoice", () => {
  it("begin as what was ordered", () => {
    expect(
      linesOfOrder([
        {
          id: "o-1",
          fulfills_source_ids: [],
          supplied_offer: {
            type: "single",
            description: "Bonnet",
            quantity: 2,
            condition: null,
            inventory: { sellable_id: "s-1" },
            trade_price: "884.75",
          },
        },
        {
          id: "o-2",
          fulfills_source_ids: [],
          supplied_offer: {
            type: "single",
            description: "Guard",
            quantity: 1,
            condition: null,
            inventory: null,
            trade_price: null,
          },
        },
      ]),
    ).toEqual([
      line({ key: "o-1" }),
      line({ key: "o-2", sellable_id: "", description: "Guard", quantity: "1", unit_price: "" }),
    ]);
  });

  it("are sent as they stand, without what is empty", () => {
    expect(requestOf("p", [line(), emptyLine("n")])).toEqual({
      identity: { id: "p" },
      lines: [
        { sellable_id: "s-1", description: "Bonnet", quantity: 2, unit_price: "884.75" },
        { quantity: 1, unit_price: "" },
      ],
    });
    expect(requestOf("p", [])).toEqual({ identity: { id: "p" }, lines: [] });
  });

  it("are not sent while a quantity is none", () => {
    expect(["0", "12", "65535"].map(quantityIn)).toEqual([0, 12, 65_535]);
    expect(["", "1.5", "-1", "65536", "two"].map(quantityIn)).toEqual([null, null, null, null, null]);
    expect(requestOf("p", [line({ quantity: "1.5" })])).toBeNull();
  });

  it("add up exactly, as far as they are known", () => {
    expect(amountText(amountOf(line()) ?? { units: 0n, scale: 0 })).toBe("1769.50");
    expect(amountOf(line({ unit_price: "free" }))).toBeNull();
    const { total, whole } = totalOf([line(), line({ quantity: "3", unit_price: "0.1" }), line({ unit_price: "" })]);
    expect([amountText(total), whole]).toEqual(["1769.80", false]);
  });

  it("are pointed at by a refusal's path", () => {
    const refused = refusedIn("/lines/2/unit_price must be an amount in NZD");
    expect(refused).toEqual({ line: 2, field: "unit_price", message: "must be an amount in NZD" });
    expect(refusedIn("the procurement is cancelled")).toBeNull();
  });

  it("come back as they were written down, or not at all", () => {
    expect(restoredLines(JSON.parse(JSON.stringify([line()])))).toEqual([line()]);
    expect(restoredLines([{ ...line(), quantity: 2 }])).toBeNull();
    expect(restoredLines(null)).toBeNull();
  });
});

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
    expect([0, 1, 2].map((line) => verdictOn(result, line))).toEqual([
      { kind: "matched", price: null, quantity: null },
      { kind: "differs", price: "10.00", quantity: 2 },
      { kind: "unexpected", price: null, quantity: null },
    ]));

  it("in all, kind by kind", () => {
    expect(tallyOf(result)).toBe("1 matched, 1 price difference, 1 quantity difference, 1 missing, 1 unexpected");
    expect(isClean(result)).toBe(false);
    expect(isClean({ ...result, price_differences: [], quantity_differences: [], missing: [], unexpected: [] })).toBe(
      true,
    );
  });
});
