import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { policyChoices } from "../../contract/control/policies.ts";
import { announcedStatuses } from "../../contract/events.ts";
import { BuyerProcurement, SupplierProcurement } from "../../contract/resources/procurement.ts";
import { type ProcurementStatus, procurementStatuses } from "../../contract/values.ts";
import { buyerView, supplierView } from "../../operations/views.ts";
import type { OfferedItemRecord, ProcurementRecord } from "../records.ts";
import {
  createConfirmed,
  moveProcurement,
  orderingStatuses,
  type ProcurementMove,
  workingDaysAhead,
} from "./procurement-states.ts";

const moves: readonly ProcurementMove[] = ["confirm", "cancel"];
const usual = { confirm_when_confirmed: "ok", confirm_when_cancelled: "reject" } as const;
const everyPolicy = policyChoices.confirm_when_confirmed.flatMap((confirm_when_confirmed) =>
  policyChoices.confirm_when_cancelled.map((confirm_when_cancelled) => ({
    confirm_when_confirmed,
    confirm_when_cancelled,
  })),
);

/** Summary of a result. */
const summary = (
  move: ProcurementMove,
  state: ProcurementStatus,
  policies: Parameters<typeof moveProcurement>[2],
): string => {
  const result = moveProcurement(move, state, policies);
  if (result.kind === "moves") return `→ ${result.to}, announces ${result.announces}`;
  return result.kind === "stays" ? "stays" : result.code;
};

describe("the states of an order", () => {
  it("follow the table for every step and state, whatever the unrelated settings", () => {
    for (const policies of everyPolicy) {
      const confirmedAgain = policies.confirm_when_confirmed === "ok" ? "stays" : "unprocessable";
      const confirmedCancelled = policies.confirm_when_cancelled === "reject" ? "unprocessable" : "not_found";
      const table = Object.fromEntries(
        moves.map((move) => [move, procurementStatuses.map((state) => summary(move, state, policies))]),
      );
      expect(table).toEqual({
        //        order_requested                                       order_confirmed   cancelled
        confirm: ["→ order_confirmed, announces order_confirmed", confirmedAgain, confirmedCancelled],
        cancel: ["→ cancelled, announces null", "unprocessable", "unprocessable"],
      });
    }
  });

  it("D50: confirming a confirmed one changes nothing, or is refused by a setting", () => {
    expect(policyChoices.confirm_when_confirmed[0]).toBe("ok");
    expect(moveProcurement("confirm", "order_confirmed", usual)).toEqual({ kind: "stays" });
    expect(moveProcurement("confirm", "order_confirmed", { ...usual, confirm_when_confirmed: "reject" })).toEqual({
      kind: "refused",
      cause: "confirmed_already",
      code: "unprocessable",
      message: expect.stringContaining("order_confirmed already"),
    });
  });

  it("D51: confirming a cancelled one is refused with a message, or not found by a setting", () => {
    expect(policyChoices.confirm_when_cancelled[0]).toBe("reject");
    expect(moveProcurement("confirm", "cancelled", usual)).toEqual({
      kind: "refused",
      cause: "confirm_of_cancelled",
      code: "unprocessable",
      message: expect.stringContaining("cancelled"),
    });
    // Same response as for an unknown order, because a message would reveal that it exists.
    expect(moveProcurement("confirm", "cancelled", { ...usual, confirm_when_cancelled: "not_found" })).toEqual({
      kind: "refused",
      cause: "confirm_of_cancelled",
      code: "not_found",
    });
  });

  it("D74: cancelling causes no event, and no event has a state outside the enum", () => {
    for (const move of moves) {
      for (const state of procurementStatuses) {
        const result = moveProcurement(move, state, usual);
        if (result.kind !== "moves") continue;
        if (result.to === "cancelled") expect(result.announces).toBeNull();
        else expect(announcedStatuses).toContain(result.announces);
      }
    }
  });

  it("are all reachable, and neither confirmed nor cancelled is ever left", () => {
    const reached = new Set<ProcurementStatus>(["order_requested"]);
    for (const state of reached) {
      for (const move of moves) {
        for (const policies of everyPolicy) {
          const result = moveProcurement(move, state, policies);
          if (result.kind !== "moves") continue;
          expect(state).toBe("order_requested");
          reached.add(result.to);
        }
      }
    }
    expect([...reached].toSorted()).toEqual([...procurementStatuses].toSorted());
  });
});

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
  it("D52: fills every null that the confirmed state forbids: new, the offer's stock and price, three working days ahead", () => {
    const after = createConfirmed(requested, NOW);
    expect(after).toEqual({
      ...requested,
      status: "order_confirmed",
      updated_at: NOW,
      // A Wednesday plus three working days; the weekend doesn't count.
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

  it("D52: keeps what the supplier stated and changes nothing else", () => {
    const stated: OfferedItemRecord = {
      ...bare,
      condition: { type: "used", payload: { type: "panel", payload: "grade_a" } },
      inventory: { sellable_id: id("c"), warehouse_id: null },
      trade_price: "0.00",
    };
    const before = { ...requested, deliver_before: NOW - 5 * DAY, offered_items: [stated, bare] };
    const after = createConfirmed(before, NOW);
    expect(after.offered_items[0]).toEqual(stated);
    expect(after).toEqual({
      ...before,
      status: "order_confirmed",
      updated_at: NOW,
      offered_items: [stated, expect.anything()],
    });
  });

  it("leaves its input unchanged", () => {
    const copy = structuredClone(requested);
    createConfirmed(requested, NOW);
    expect(requested).toEqual(copy);
  });

  it("has the contract's confirmed shape in both views, whatever was null", () => {
    fc.assert(
      fc.property(procurement, fc.integer({ min: NOW, max: NOW + 30 * DAY }), (before, now) => {
        for (const [schema, view] of [
          [BuyerProcurement, buyerView],
          [SupplierProcurement, supplierView],
        ] as const) {
          expect(Check(schema, view(before))).toBe(true);
          const after = view(createConfirmed(before, now));
          expect(after.status).toBe("order_confirmed");
          expect(Check(schema, after)).toBe(true);
        }
      }),
    );
  });

  it("differs from a record that only has the confirmed status", () => {
    const claimed: ProcurementRecord = { ...requested, status: "order_confirmed" };
    expect(Check(BuyerProcurement, buyerView(claimed))).toBe(false);
    expect(Check(SupplierProcurement, supplierView(claimed))).toBe(false);
  });

  it("D53: shows the stock location only to the supplier", () => {
    const after = createConfirmed(requested, NOW);
    expect(supplierView(after).offered_items[0]?.supplied_offer.inventory).toEqual({
      sellable_id: id("3"),
      warehouse_id: warehouse,
    });
    expect(JSON.stringify(buyerView(after))).not.toContain(warehouse);
    expect(buyerView(after).offered_items[0]?.supplied_offer.inventory).toEqual({ sellable_id: id("3") });
  });

  it("has the same result when repeated", () => {
    fc.assert(
      fc.property(procurement, (before) => {
        const once = createConfirmed(before, NOW);
        expect(createConfirmed(once, NOW)).toEqual(once);
      }),
    );
  });
});

describe("the two views of an order", () => {
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

const weekday = (at: number): number => new Date(at).getUTCDay();
const isWorkingDay = (at: number): boolean => weekday(at) !== 0 && weekday(at) !== 6;
const ahead = (from: string, days: number): string => new Date(workingDaysAhead(Date.parse(from), days)).toISOString();

describe("working days ahead", () => {
  it("are the next days within a week, and skip the weekend", () => {
    // 2026-01-12 is a Monday.
    expect(ahead("2026-01-12T09:30:15.250Z", 3)).toBe("2026-01-15T09:30:15.250Z");
    expect(ahead("2026-01-13T09:30:00.000Z", 3)).toBe("2026-01-16T09:30:00.000Z");
    expect(ahead("2026-01-14T09:30:00.000Z", 3)).toBe("2026-01-19T09:30:00.000Z");
    expect(ahead("2026-01-15T09:30:00.000Z", 3)).toBe("2026-01-20T09:30:00.000Z");
    expect(ahead("2026-01-16T23:59:59.999Z", 3)).toBe("2026-01-21T23:59:59.999Z");
    expect(ahead("2026-01-17T00:00:00.000Z", 3)).toBe("2026-01-21T00:00:00.000Z");
    expect(ahead("2026-01-18T12:00:00.000Z", 3)).toBe("2026-01-21T12:00:00.000Z");
    expect(ahead("2026-01-16T09:30:00.000Z", 1)).toBe("2026-01-19T09:30:00.000Z");
    expect(ahead("2024-02-27T09:30:00.000Z", 3)).toBe("2024-03-01T09:30:00.000Z");
    expect(ahead("2026-01-12T09:30:00.000Z", 0)).toBe("2026-01-12T09:30:00.000Z");
  });

  it("are counted without weekends and keep the time of day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.integer({ min: 1, max: 30 }), (from, days) => {
        const at = workingDaysAhead(from, days);
        const between = Array.from({ length: (at - from) / DAY }, (_, index) => from + (index + 1) * DAY);
        expect((at - from) % DAY).toBe(0);
        expect(between.filter(isWorkingDay)).toHaveLength(days);
        expect(isWorkingDay(at)).toBe(true);
      }),
    );
  });
});

it("D42: a part is ordered once an order is placed, or confirmed if the world says so", () => {
  expect(policyChoices.part_ordered_on).toEqual(["placed", "confirmed"]);
  expect(orderingStatuses("placed")).toEqual(["order_requested", "order_confirmed"]);
  expect(orderingStatuses("confirmed")).toEqual(["order_confirmed"]);
});
