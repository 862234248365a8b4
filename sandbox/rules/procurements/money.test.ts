import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMinor, isAmount, minorDigits, parseMinor, sum, times, toPlainAmount } from "./money.ts";

const currency = fc.constantFrom("NZD", "AUD", "GBP", "JPY", "BHD", "XTS");
const amount = fc.maxSafeInteger();

describe("money", () => {
  it("writes amounts with the currency's digits", () => {
    expect(formatMinor(88475, "NZD")).toBe("884.75");
    expect(formatMinor(5, "GBP")).toBe("0.05");
    expect(formatMinor(-5, "AUD")).toBe("-0.05");
    expect(formatMinor(1200, "JPY")).toBe("1200");
    expect(formatMinor(1200, "KWD")).toBe("1.200");
    expect(formatMinor(-0, "NZD")).toBe("0.00");
  });

  it("reads the notations that partners may use, and refuses anything else", () => {
    expect(parseMinor("884.7", "NZD")).toBe(88470);
    expect(parseMinor("884", "NZD")).toBe(88400);
    expect(parseMinor("-0.00", "NZD")).toBe(0);
    for (const text of [
      "",
      ".5",
      "5.",
      "1e3",
      "+1",
      "1,000.00",
      " 1",
      "01.00",
      "1.005",
      "NaN",
      "0x10",
      "99999999999999999",
    ]) {
      expect(() => parseMinor(text, "NZD"), text).toThrow(RangeError);
      expect(isAmount(text, "NZD"), text).toBe(false);
    }
    expect(() => parseMinor("1.5", "JPY")).toThrow(RangeError);
  });

  it("treats a currency named like an object's member as unknown", () => {
    expect(minorDigits("constructor")).toBe(2);
  });

  it("reads back exactly what it wrote", () => {
    fc.assert(
      fc.property(amount, currency, (minor, code) => {
        const text = formatMinor(minor, code);
        expect(isAmount(text, code)).toBe(true);
        expect(parseMinor(text, code)).toBe(minor);
        expect((text.split(".")[1] ?? "").length).toBe(minorDigits(code));
      }),
    );
  });

  it("an amount is readable exactly if parsing succeeds", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{0,4}\.?\d{0,4}$/), currency, (text, code) => {
        let read = true;
        try {
          parseMinor(text, code);
        } catch {
          read = false;
        }
        expect(isAmount(text, code)).toBe(read);
      }),
    );
  });

  it("adds in any order, and multiplication equals repeated addition", () => {
    const small = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(fc.array(small), small, fc.nat(50), (amounts, minor, quantity) => {
        expect(sum(amounts)).toBe(sum([...amounts].reverse()));
        expect(times(minor, quantity)).toBe(sum(Array.from({ length: quantity }, () => minor)));
      }),
    );
  });

  it("throws instead of losing precision", () => {
    expect(() => sum([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError);
    expect(() => times(Number.MAX_SAFE_INTEGER, 2)).toThrow(RangeError);
    expect(() => times(100, 1.5)).toThrow(RangeError);
    expect(() => formatMinor(0.1, "NZD")).toThrow(RangeError);
  });
});

it.each([
  ["1,234.50", "1234.50"],
  ["1.234,50", "1234.50"],
  ["1234,50", "1234.50"],
  ["$1,548.05", "1548.05"],
  ["NZD 12.50", "12.50"],
  ["12,50 €", "12.50"],
  ["1 234 567.8", "1234567.8"],
  ["1,234", null],
  ["12.50", null],
  ["twelve", null],
])("reads %j as the plain amount %j", (text, plain) => {
  expect(toPlainAmount(text)).toBe(plain);
});
