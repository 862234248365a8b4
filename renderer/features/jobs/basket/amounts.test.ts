import { describe, expect, it } from "vitest";
import { amountText, minus, parseAmount, plus, sumAmounts, times, zero } from "./amounts.ts";

const amount = (text: string) => parseAmount(text) ?? zero;

describe("amounts", () => {
  it("stay exact where floats don't", () => {
    expect(amountText(plus(amount("0.10"), amount("0.20")))).toBe("0.30");
    expect(amountText(times(amount("1456.35"), 3))).toBe("4369.05");
    expect(amountText(amount("90071992547409930.01"))).toBe("90071992547409930.01");
  });

  it("keep the longer fraction of two", () => {
    expect(amountText(sumAmounts([amount("1.5"), amount("2"), amount("0.125")]))).toBe("3.625");
    expect(amountText(minus(amount("1.00"), amount("2.50")))).toBe("-1.50");
    expect(amountText(amount("800"))).toBe("800.00");
  });

  it("are null for anything but a decimal number", () => {
    expect(["", "on request", "1e3", "1,5", ".5"].map(parseAmount)).toEqual([null, null, null, null, null]);
  });
});
