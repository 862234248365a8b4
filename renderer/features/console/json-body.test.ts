import { describe, expect, it } from "vitest";
import { parsed, valueAt } from "./json-body.ts";

describe("a text as JSON", () => {
  it("is an empty object if empty, and null if invalid", () => {
    expect(parsed(" ")).toEqual({ value: {} });
    expect(parsed("{")).toBeNull();
  });
  it("reads a value at a path, own fields only", () => {
    expect(valueAt({ a: [{ b: 1 }] }, ["a", 0, "b"])).toBe(1);
    expect(valueAt({ a: null }, ["a", "b"])).toBeUndefined();
    expect(valueAt({}, ["constructor"])).toBeUndefined();
  });
});
