import { describe, expect, it } from "vitest";
import { median, quantile, rangeOf, ratioOfMedians, ratiosOf } from "./statistics.ts";

describe("statistics of a run", () => {
  it("the median is the middle value, whatever the order", () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it("the median of an even count lies between the two in the middle", () => {
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it("one wild repetition does not move a median", () => {
    expect(median([10, 11, 12, 13, 9_000])).toBe(12);
  });

  it("a percentile is a value that occurred, with the share of all at or below it", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantile(values, 0.95)).toBe(95);
    expect(quantile([7], 0.95)).toBe(7);
    expect(quantile([1, 2], 0)).toBe(1);
    expect(() => quantile([], 0.5)).toThrow("There is no quantile of nothing.");
  });

  it("there is no median of nothing", () => {
    expect(() => median([])).toThrow("There is no median of nothing.");
  });

  it("the ratio is of the medians, not of single repetitions", () => {
    expect(ratioOfMedians([1, 50, 100], [100, 100, 1_000])).toBe(0.5);
  });

  it("a repetition is divided by the one beside it", () => {
    expect(ratiosOf([10, 30], [20, 10])).toEqual([0.5, 3]);
    expect(rangeOf(ratiosOf([10, 30], [20, 10]))).toEqual({ least: 0.5, greatest: 3 });
  });

  it("a value with nothing beside it has no ratio", () => {
    expect(ratiosOf([10, 30], [20])).toEqual([0.5]);
  });

  it("one value has no range", () => {
    expect(rangeOf([7])).toBeNull();
  });
});
