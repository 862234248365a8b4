import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { BuyerProcurement, SupplierProcurement } from "../contract/resources/procurement.ts";
import { buyerView, supplierView } from "../operations/views.ts";
import { confirmed } from "./confirmation.ts";
import type { OfferedItemRecord, ProcurementRecord } from "./records.ts";

const DAY = 86_400_000;
/** A Wednesday. */
const NOW = Date.UTC(2026, 0, 14, 10, 30);
const id = (digit: string): string =>
  `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
const warehouse = id("f");

const bare: OfferedItemRecord = {
  id: id("1"),
  fulfills_source_ids: [id("2")],
  description: "Bonnet, used",
  quantity: 2,
  condition: null,
  inventory: null,
  trade_price: null,
  offer: { sellable_id: id("3"), warehouse_id: warehouse, trade_price: "884.75" },
};

const requested: ProcurementRecord = {
  id: id("4"),
  job_id: id("5"),
  status: "order_requested",
  reference: "TRC-20418-1",
  currency_code: "NZD",
  created_at: NOW - DAY,
  updated_at: NOW - DAY,
  deliver_before: null,
  buyer_organization_id: id("6"),
  buyer_business_id: id("7"),
  buyer_shipping_address: {
    city: "Hamilton",
    country_code: "NZ",
    name: null,
    postcode: "3204",
    state: null,
    street_name: "Kent Street",
    street_number: "12a",
    suburb: null,
    unit: null,
  },
  supplier_organization_id: id("8"),
  supplier_business_id: id("9"),
  supplier_business_name: "Meridian",
  total_shipping_price: { type: "absolute", value: "28.00" },
  vehicle: { chassis_number: null, plate_number: "ABC123", variant: { description: "" } },
  source_items: [{ id: id("2"), description: "Bonnet", job_part_id: id("a"), part_identity: null, quantity: 2 }],
  offered_items: [bare],
};

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const condition: fc.Arbitrary<NonNullable<OfferedItemRecord["condition"]>> = fc.constantFrom(
  { type: "new", payload: {} },
  { type: "used", payload: { type: "panel", payload: "grade_b" } },
  { type: "used", payload: { type: "distance_traveled", payload: 2 ** 32 - 1 } },
  { type: "used", payload: { type: "remaining_thickness", payload: 3.5 } },
);
const price = fc.nat({ max: 1_000_000 }).map((minor) => (minor / 100).toFixed(2));
const item: fc.Arbitrary<OfferedItemRecord> = fc.record({
  id: fc.uuid(),
  fulfills_source_ids: fc.array(fc.uuid(), { maxLength: 3 }),
  description: fc.string(),
  quantity: fc.nat({ max: 65_535 }),
  condition: maybe(condition),
  inventory: maybe(fc.record({ sellable_id: fc.uuid(), warehouse_id: maybe(fc.uuid()) })),
  trade_price: maybe(price),
  offer: fc.record({ sellable_id: fc.uuid(), warehouse_id: maybe(fc.uuid()), trade_price: price }),
});
const procurement: fc.Arbitrary<ProcurementRecord> = fc
  .record({
    offered_items: fc.array(item, { maxLength: 4 }),
    deliver_before: maybe(fc.integer({ min: NOW, max: NOW + 90 * DAY })),
  })
  .map((made) => ({ ...requested, ...made }));

describe("a confirmation", () => {
  it("D52: fills every null that the confirmed stage forbids: new, the offer's stock and price, three working days ahead", () => {
    const after = confirmed(requested, NOW);
    expect(after).toEqual({
      ...requested,
      status: "order_confirmed",
      updated_at: NOW,
      // Wednesday, and the weekend does not count.
      deliver_before: Date.UTC(2026, 0, 19, 10, 30),
      offered_items: [
        {
          ...bare,
          condition: { type: "new", payload: {} },
          inventory: { sellable_id: id("3"), warehouse_id: warehouse },
          trade_price: "884.75",
        },
      ],
    });
  });

  it("D52: keeps what the supplier had stated, and changes nothing else", () => {
    const stated: OfferedItemRecord = {
      ...bare,
      condition: { type: "used", payload: { type: "panel", payload: "grade_a" } },
      inventory: { sellable_id: id("c"), warehouse_id: null },
      trade_price: "0.00",
    };
    const before = { ...requested, deliver_before: NOW - 5 * DAY, offered_items: [stated, bare] };
    const after = confirmed(before, NOW);
    expect(after.offered_items[0]).toEqual(stated);
    expect(after).toEqual({
      ...before,
      status: "order_confirmed",
      updated_at: NOW,
      offered_items: [stated, expect.anything()],
    });
  });

  it("leaves the requested record as it was", () => {
    const copy = structuredClone(requested);
    confirmed(requested, NOW);
    expect(requested).toEqual(copy);
  });

  it("meets the contract's confirmed shape in both views, whatever was null before", () => {
    fc.assert(
      fc.property(procurement, fc.integer({ min: NOW, max: NOW + 30 * DAY }), (before, now) => {
        for (const [schema, view] of [
          [BuyerProcurement, buyerView],
          [SupplierProcurement, supplierView],
        ] as const) {
          expect(Check(schema, view(before))).toBe(true);
          const after = view(confirmed(before, now));
          expect(after.status).toBe("order_confirmed");
          expect(Check(schema, after)).toBe(true);
        }
      }),
    );
  });

  it("is what makes the shape hold: the same record merely called confirmed does not meet it", () => {
    const claimed: ProcurementRecord = { ...requested, status: "order_confirmed" };
    expect(Check(BuyerProcurement, buyerView(claimed))).toBe(false);
    expect(Check(SupplierProcurement, supplierView(claimed))).toBe(false);
  });

  it("D53: shows the stock location to the supplier and not to the buyer", () => {
    const after = confirmed(requested, NOW);
    expect(supplierView(after).offered_items[0]?.supplied_offer.inventory).toEqual({
      sellable_id: id("3"),
      warehouse_id: warehouse,
    });
    expect(JSON.stringify(buyerView(after))).not.toContain(warehouse);
    expect(buyerView(after).offered_items[0]?.supplied_offer.inventory).toEqual({ sellable_id: id("3") });
  });

  it("confirming twice gives the same as confirming once", () => {
    fc.assert(
      fc.property(procurement, (before) => {
        const once = confirmed(before, NOW);
        expect(confirmed(once, NOW)).toEqual(once);
      }),
    );
  });
});

describe("the two views of a procurement", () => {
  it("have exactly the contract's fields, times in UTC with milliseconds (D10)", () => {
    const common = [
      "status",
      "id",
      "job_id",
      "created_at",
      "updated_at",
      "currency_code",
      "reference",
      "source_items",
      "total_shipping_price",
      "vehicle",
      "deliver_before",
      "offered_items",
    ];
    const buyer = buyerView(requested);
    expect(Object.keys(buyer).toSorted()).toEqual([...common, "supplier_business", "supplier_organization"].toSorted());
    expect(Object.keys(supplierView(requested)).toSorted()).toEqual(
      [...common, "buyer_business", "buyer_organization", "buyer_shipping_address"].toSorted(),
    );
    expect(buyer.created_at).toBe("2026-01-13T10:30:00.000Z");
    expect(buyer.source_items).toEqual([
      {
        id: id("2"),
        type: "buyer_requested",
        buyer_part: { description: "Bonnet", job_part_id: id("a"), part_identity: null, quantity: 2 },
      },
    ]);
    expect(Object.keys(buyer.offered_items[0] ?? {}).toSorted()).toEqual([
      "fulfills_source_ids",
      "id",
      "supplied_offer",
    ]);
    expect(Object.keys(buyer.offered_items[0]?.supplied_offer ?? {}).toSorted()).toEqual([
      "condition",
      "description",
      "inventory",
      "quantity",
      "trade_price",
      "type",
    ]);
  });
});
