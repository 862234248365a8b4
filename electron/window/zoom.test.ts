import { describe, expect, test } from "vitest";
import { isZoom, nextZoom } from "./zoom.ts";

describe("a window's zoom", () => {
  test("goes through the sizes a browser offers, there and back", () => {
    expect(nextZoom(1, "in")).toBe(1.1);
    expect(nextZoom(1.1, "out")).toBe(1);
    expect(nextZoom(2.5, "reset")).toBe(1);
  });

  test("ends where a page could no longer be read or seen", () => {
    expect(nextZoom(3, "in")).toBe(3);
    expect(nextZoom(0.5, "out")).toBe(0.5);
  });

  test("reaches 200 %, where every place of the explorer still works", () => {
    let [zoom, steps] = [1, 0];
    for (; zoom < 2; steps++) zoom = nextZoom(zoom, "in");
    expect([zoom, steps]).toEqual([2, 5]);
  });

  test("is one of those sizes", () => {
    expect([1, 0.5, 3].every(isZoom)).toBe(true);
    expect([0, -1, 40, Number.NaN, "1", null].some(isZoom)).toBe(false);
  });
});
