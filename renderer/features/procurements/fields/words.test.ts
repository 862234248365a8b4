import { describe, expect, it } from "vitest";
import { addressLine, wordsOf } from "./words.ts";

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
