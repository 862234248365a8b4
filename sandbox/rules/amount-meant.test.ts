import { describe, expect, test } from "vitest";
import { amountMeant } from "./amount-meant.ts";

describe("the amount a text is meant as", () => {
  test.each([
    ["NZ$ 1,548.05", "NZD", "1548.05"],
    ["$1,548.05", "USD", "1548.05"],
    ["76,15", "EUR", "76.15"],
    ["1,548", "USD", "1548.00"],
    ["1,234,567.8", "USD", null],
    ["76.159", "USD", "76.16"],
    ["-5", "USD", "-5.00"],
    ["1548", "JPY", "1548"],
    ["1000000", "USD", "1000000.00"],
    ["1000000.01", "USD", null],
    ["1-2", "USD", null],
    ["1.2.3", "USD", null],
    ["", "USD", null],
    ["nothing", "USD", null],
  ])("%j in %s is %j", (text, currency, meant) => expect(amountMeant(text, currency)).toBe(meant));
});
