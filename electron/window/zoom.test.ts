import { describe, expect, test } from "vitest";
import { isZoom, nextZoom } from "./zoom.ts";

describe("a window's zoom", () => {
  test("steps through the sizes of a browser in both directions", () => {
    expect(nextZoom(1, "in")).toBe(1.1);
    expect(nextZoom(1.1, "out")).toBe(1);
    expect(nextZoom(2.5, "reset")).toBe(1);
  });

  test("ends at the smallest and largest readable size", () => {
    expect(nextZoom(3, "in")).toBe(3);
    expect(nextZoom(0.5, "out")).toBe(0.5);
  });

  test("reaches 200 %, at which every place of the explorer works", () => {
    let [zoom, steps] = [1, 0];
    for (; zoom < 2; steps++) zoom = nextZoom(zoom, "in");
    expect([zoom, steps]).toEqual([2, 5]);
  });

  test("accepts only these sizes", () => {
    expect([1, 0.5, 3].every(isZoom)).toBe(true);
    expect([0, -1, 40, Number.NaN, "1", null].some(isZoom)).toBe(false);
  });
});
