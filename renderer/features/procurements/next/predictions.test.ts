import { describe, expect, it } from "vitest";
import { filledUnder, fillsIn, predictConfirm, workingDaysAhead } from "./predictions.ts";

const now = Date.parse("2026-03-12T10:00:00.000Z"); // a Thursday
const fulfils = { fulfills_source_ids: [] };
const offer = { type: "single", description: "Bonnet", quantity: 1 } as const;
const open = {
  status: "order_requested" as const,
  deliver_before: null,
  offered_items: [
    {
      id: "a",
      ...fulfils,
      supplied_offer: {
        ...offer,
        condition: { type: "new" as const, payload: {} },
        inventory: { sellable_id: "x" },
        trade_price: "1.00",
      },
    },
    { id: "b", ...fulfils, supplied_offer: { ...offer, condition: null, inventory: null, trade_price: null } },
    {
      id: "c",
      ...fulfils,
      supplied_offer: { ...offer, condition: null, inventory: { sellable_id: "y" }, trade_price: "2.00" },
    },
  ],
};

describe("what confirming will change", () => {
  it("fills every null the confirmed stage forbids, and nothing else", () => {
    expect(predictConfirm(open, now).map(({ path }) => path)).toEqual([
      "status",
      "updated_at",
      "deliver_before",
      "offered_items[1].supplied_offer.condition",
      "offered_items[1].supplied_offer.inventory",
      "offered_items[1].supplied_offer.trade_price",
      "offered_items[2].supplied_offer.condition",
    ]);
  });

  it("sets deliver_before three working days ahead, over the weekend", () => {
    expect(predictConfirm(open, now).find(({ path }) => path === "deliver_before")?.at).toBe(
      "2026-03-17T10:00:00.000Z",
    );
  });

  it("leaves a deliver_before that is there", () => {
    const given = { ...open, deliver_before: "2026-03-13T00:00:00.000Z" };
    expect(predictConfirm(given, now).some(({ path }) => path === "deliver_before")).toBe(false);
  });

  it("predicts nothing for one that cannot be confirmed", () => {
    expect(predictConfirm({ ...open, status: "cancelled" }, now)).toEqual([]);
  });

  it("says in one phrase what it fills in", () => {
    expect(fillsIn(predictConfirm(open, now))).toBe(
      "deliver_before, condition of 2 items, inventory of 1 item, trade_price of 1 item",
    );
    expect(
      fillsIn(predictConfirm({ ...open, deliver_before: "2026-03-13T00:00:00.000Z", offered_items: [] }, now)),
    ).toBeNull();
  });

  it("names what it fills under an item", () => {
    expect(filledUnder(predictConfirm(open, now), "offered_items[1]")).toEqual([
      "condition",
      "inventory",
      "trade_price",
    ]);
    expect(filledUnder(predictConfirm(open, now), "offered_items[0]")).toEqual([]);
  });
});

describe("working days", () => {
  it("are Monday to Friday in UTC", () => {
    const friday = Date.parse("2026-03-13T23:30:00.000Z");
    expect(new Date(workingDaysAhead(friday, 1)).toISOString()).toBe("2026-03-16T23:30:00.000Z");
    const saturday = Date.parse("2026-03-14T01:00:00.000Z");
    expect(new Date(workingDaysAhead(saturday, 3)).toISOString()).toBe("2026-03-18T01:00:00.000Z");
  });
});
