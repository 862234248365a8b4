import { describe, expect, it } from "vitest";
import { differences } from "../../../lib/diff.ts";
import { addressLine } from "./values.tsx";
import { filledFields, orderValueText } from "./words.ts";

describe("an address", () => {
  it("is one line without its nulls", () => {
    const address = {
      name: "Tarn & Rowe",
      unit: null,
      street_number: "14",
      street_name: "Quarry Lane",
      suburb: "Penrose",
      city: "Auckland",
      state: null,
      postcode: "1061",
      country_code: "NZ",
    };
    expect(addressLine(address)).toBe("Tarn & Rowe, 14 Quarry Lane, Penrose, Auckland 1061, NZ");
  });
});

describe("a short value", () => {
  it("shows null as null and text without quotes", () => {
    expect(orderValueText(null)).toBe("null");
    expect(orderValueText("order_requested")).toBe("order_requested");
    expect(orderValueText({ a: 1 })).toBe('{"a":1}');
  });
});

const offer = (id: string, condition: object | null, inventory: object | null, trade_price: string | null) => ({
  id,
  supplied_offer: { condition, inventory, trade_price },
});
const given = [{ type: "new" }, { sellable_id: "x" }, "1.00"] as const;
const procurement = (status: string, deliver_before: string | null, ...offered_items: readonly object[]) => ({
  status,
  updated_at: status,
  deliver_before,
  offered_items,
});
const due = "2026-03-17T10:00:00.000Z";
const changes = differences(
  procurement(
    "order_requested",
    null,
    offer("a", ...given),
    offer("b", null, null, null),
    offer("c", null, {}, "2.00"),
  ),
  procurement("order_confirmed", due, offer("a", ...given), offer("b", ...given), offer("c", given[0], {}, "2.00")),
);

describe("the preview of a confirmation", () => {
  it("counts the null values it fills, by field", () => {
    expect(filledFields(changes)).toBe(
      "deliver_before, condition of 2 items, inventory of 1 item, trade_price of 1 item",
    );
    expect(
      filledFields(differences(procurement("order_requested", due), procurement("order_confirmed", due))),
    ).toBeNull();
    expect(filledFields([])).toBeNull();
  });
});
