import { describe, expect, it } from "vitest";
import { medianOf } from "./health.tsx";

describe("the middle of some numbers", () => {
  it("is one of them, or lies between two", () => {
    expect(medianOf([])).toBeNull();
    expect(medianOf([3])).toBe(3);
    expect(medianOf([10, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 2, 3])).toBe(2.5);
  });
});
