import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstDifference } from "./first-difference.ts";

describe("the first difference of two JSON values", () => {
  it("is none between a value and itself, whatever the order of its keys", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, one]) => [key, reversed(one)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(firstDifference(value, reversed(value))).toBeNull();
      }),
    );
  });

  it("is found between any two that are not equal", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const equal = firstDifference(one, other) === null;
        expect(equal).toBe(firstDifference(other, one) === null);
        if (equal) expect(other).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  it("names the place, what was expected there and what was got", () => {
    const got = { a: [1, { "b/c": "x" }], d: null };
    expect(firstDifference({ a: [1, { "b/c": "y" }], d: null }, got)).toEqual({
      path: "/a/1/b~1c",
      expected: "y",
      got: "x",
    });
    expect(firstDifference({ a: [1], d: null }, got)).toEqual({
      path: "/a/1",
      expected: undefined,
      got: { "b/c": "x" },
    });
    expect(firstDifference({ ...got, e: 1 }, got)).toEqual({ path: "/e", expected: 1, got: undefined });
    expect(firstDifference({ a: got.a }, got)).toEqual({ path: "/d", expected: undefined, got: null });
    expect(firstDifference([], {})).toEqual({ path: "", expected: [], got: {} });
  });

  it("may leave out keys that are not expected, at any depth, but never items of an array", () => {
    const plain = () => undefined;
    expect(firstDifference({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, "", plain)).toBeNull();
    expect(firstDifference({ a: [{}] }, { a: [{ b: 1 }] }, "", plain)).toBeNull();
    expect(firstDifference({ a: [] }, { a: [1] }, "", plain)).toEqual({ path: "/a/0", expected: undefined, got: 1 });
  });
});
