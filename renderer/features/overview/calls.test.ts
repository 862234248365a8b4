import { describe, expect, it } from "vitest";
import { isRead, medianOf } from "./calls.ts";

describe("what a call was for", () => {
  it("is told by its operation", () => {
    expect(isRead({ operation: "repairer.jobs.get" })).toBe(true);
    expect(isRead({ operation: "webhooks.secret" })).toBe(true);
    expect(isRead({ operation: null })).toBe(true);
    expect(isRead({ operation: "repairer.jobs.insert" })).toBe(false);
    expect(isRead({ operation: "repairer.procurements.place" })).toBe(false);
  });
});

describe("the middle of some numbers", () => {
  it("is one of them, or lies between two", () => {
    expect(medianOf([])).toBeNull();
    expect(medianOf([3])).toBe(3);
    expect(medianOf([10, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 2, 3])).toBe(2.5);
  });
});
