import { describe, expect, it } from "vitest";
import { addressLine, conditionWords, wordsOf } from "./words.ts";

describe("conditions in words", () => {
  it("give a panel's grade its meaning from the contract", () => {
    expect(conditionWords({ type: "used", payload: { type: "panel", payload: "grade_b" } })).toEqual({
      short: "used, grade B",
      meaning: "existing damage smaller than two credit cards",
    });
    expect(conditionWords({ type: "used", payload: { type: "panel", payload: "grade0" } }).short).toBe("used, grade 0");
  });

  it("say by what an age was measured", () => {
    expect(conditionWords({ type: "used", payload: { type: "distance_traveled", payload: 82000 } }).short).toBe(
      "used, 82,000 distance traveled",
    );
    expect(conditionWords({ type: "new", payload: {} })).toEqual({ short: "new", meaning: "" });
  });
});

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

describe("a value in a few words", () => {
  it("shows null as null and text without quotes", () => {
    expect(wordsOf(null)).toBe("null");
    expect(wordsOf("order_requested")).toBe("order_requested");
    expect(wordsOf({ a: 1 })).toBe('{"a":1}');
  });
});
