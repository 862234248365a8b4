import { describe, expect, it } from "vitest";
import { compareViews, type FieldRow } from "./field-rows.ts";

const buyer = {
  status: "order_requested",
  id: "p1",
  created_at: "2026-03-12T10:00:00.000Z",
  supplier_business: { id: "b1", name: "Meridian" },
  source_items: [
    {
      id: "s1",
      type: "buyer_requested",
      buyer_part: { description: "Bonnet", quantity: 1, part_identity: { gapc_brand_id: "A", mpn: "1" } },
    },
  ],
  offered_items: [
    {
      id: "o1",
      fulfills_source_ids: ["s1"],
      supplied_offer: { type: "single", condition: null, inventory: { sellable_id: "x" }, trade_price: "1.00" },
    },
    {
      id: "o2",
      fulfills_source_ids: [],
      supplied_offer: { type: "single", condition: null, inventory: null, trade_price: null },
    },
  ],
};
const supplier = {
  ...buyer,
  supplier_business: undefined,
  buyer_business: { id: "b2" },
  offered_items: [
    {
      id: "o2",
      fulfills_source_ids: [],
      supplied_offer: { type: "single", condition: null, inventory: null, trade_price: null },
    },
    {
      id: "o1",
      fulfills_source_ids: ["s1"],
      supplied_offer: {
        type: "single",
        condition: null,
        inventory: { sellable_id: "x", warehouse_id: "w" },
        trade_price: "1.00",
      },
    },
  ],
};
const { supplier_business: _none, ...supplierView } = supplier;

const at = (rows: readonly FieldRow[], path: string): FieldRow => {
  const found = rows.flatMap((row) => [row, ...row.children]).find((row) => row.path === path);
  if (!found) throw new Error(`no row ${path}`);
  return found;
};

describe("comparing the two views of an order", () => {
  const rows = compareViews(buyer, supplierView);

  it("keeps the responses' order of fields, items last", () => {
    expect(rows.map((row) => row.path)).toEqual([
      "status",
      "id",
      "created_at",
      "supplier_business",
      "buyer_business",
      "source_items[0]",
      "offered_items[0]",
      "offered_items[1]",
    ]);
  });

  it("marks fields of only one side", () => {
    expect(at(rows, "supplier_business").only).toBe("repairer");
    expect(at(rows, "supplier_business").seen.supplier).toBeUndefined();
    expect(at(rows, "buyer_business").only).toBe("supplier");
    expect(at(rows, "status").only).toBeNull();
  });

  it("matches items by ID in any order", () => {
    const item = at(rows, "offered_items[0]");
    expect(item.seen.repairer).toMatchObject({ id: "o1" });
    expect(item.seen.supplier).toMatchObject({ id: "o1" });
  });

  it("expands an item's objects without the wrappers' names", () => {
    expect(at(rows, "offered_items[0]").children.map((row) => row.name)).toEqual([
      "id",
      "fulfills_source_ids",
      "type",
      "condition",
      "inventory.sellable_id",
      "inventory.warehouse_id",
      "trade_price",
    ]);
    expect(at(rows, "offered_items[0].supplied_offer.inventory.warehouse_id").only).toBe("supplier");
  });

  it("shows a null inventory as one line", () => {
    expect(at(rows, "offered_items[1].supplied_offer.inventory").seen.repairer).toBeNull();
  });

  it("shows a part identity as one value", () => {
    expect(at(rows, "source_items[0].buyer_part.part_identity").seen.repairer).toEqual({
      gapc_brand_id: "A",
      mpn: "1",
    });
  });

  it("marks fields on which both sides differ", () => {
    const found = compareViews(buyer, { ...supplierView, status: "cancelled" });
    expect(at(found, "status").differs).toBe(true);
    expect(at(found, "id").differs).toBe(false);
  });

  it("uses the contract to tell what the missing side would not see", () => {
    const found = compareViews(buyer, null);
    expect(at(found, "supplier_business").only).toBe("repairer");
    expect(at(found, "status").only).toBeNull();
  });

  it("is empty without a response", () => {
    expect(compareViews(null, null)).toEqual([]);
  });
});
