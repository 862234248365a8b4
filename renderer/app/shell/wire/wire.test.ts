import { describe, expect, it } from "vitest";
import { heightByKey, WIRE_LEAST, wireWithin } from "./wire.tsx";

describe("the height of the wire", () => {
  it("leaves room for the place, and is never nothing", () => {
    expect(wireWithin(5_000, 800)).toBe(600);
    expect(wireWithin(10, 800)).toBe(WIRE_LEAST);
    expect(wireWithin(280, 240)).toBe(WIRE_LEAST);
  });
  it("grows and shrinks by keys", () => {
    expect(heightByKey("ArrowUp", 280, 800)).toBe(296);
    expect(heightByKey("PageDown", 280, 800)).toBe(184);
    expect(heightByKey("Home", 280, 800)).toBe(WIRE_LEAST);
    expect(heightByKey("End", 280, 800)).toBe(600);
  });
  it("is left alone by other keys", () => expect(heightByKey("Enter", 280, 800)).toBeNull());
});
