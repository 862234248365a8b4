import { describe, expect, it } from "vitest";
import { parsed, valueAt } from "./json-body.ts";

describe("a text as JSON", () => {
  it("is an empty object where it is empty, and null where it is none", () => {
    expect(parsed(" ")).toEqual({ value: {} });
    expect(parsed("{")).toBeNull();
  });
  it("holds a value at a path, own fields alone", () => {
    expect(valueAt({ a: [{ b: 1 }] }, ["a", 0, "b"])).toBe(1);
    expect(valueAt({ a: null }, ["a", "b"])).toBeUndefined();
    expect(valueAt({}, ["constructor"])).toBeUndefined();
  });
});
