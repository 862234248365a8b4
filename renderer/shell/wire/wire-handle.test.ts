import { describe, expect, it } from "vitest";
import { MIN_WIRE_HEIGHT, wireWithin } from "./wire-handle.tsx";

describe("the height of the wire", () => {
  it("leaves room for the place and has a minimum", () => {
    expect(wireWithin(5_000, 800)).toBe(600);
    expect(wireWithin(10, 800)).toBe(MIN_WIRE_HEIGHT);
    expect(wireWithin(280, 240)).toBe(MIN_WIRE_HEIGHT);
  });
});
