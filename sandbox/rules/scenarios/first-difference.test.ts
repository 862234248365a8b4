import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstDifference } from "./first-difference.ts";

describe("the first difference of two JSON values", () => {
  it("is null for equal values, in any order of keys", () => {
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

  it("exists for any two unequal values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const equal = firstDifference(one, other) === null;
        expect(equal).toBe(firstDifference(other, one) === null);
        if (equal) expect(other).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  it("has the path, the expected and the actual value", () => {
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

  it("may ignore unexpected keys at any depth, but never array items", () => {
    const plain = () => undefined;
    expect(firstDifference({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, "", plain)).toBeNull();
    expect(firstDifference({ a: [{}] }, { a: [{ b: 1 }] }, "", plain)).toBeNull();
    expect(firstDifference({ a: [] }, { a: [1] }, "", plain)).toEqual({ path: "/a/0", expected: undefined, got: 1 });
  });
});
