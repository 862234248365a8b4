import { describe, expect, test } from "vitest";
import { type Bounds, minimumSize, offsetBounds, windowBounds } from "./window-bounds.ts";

const primary: Bounds = { x: 0, y: 25, width: 1920, height: 1055 };
const second: Bounds = { x: 1920, y: 0, width: 2560, height: 1440 };

describe("window position", () => {
  test("is centred on the primary display the first time", () => {
    expect(windowBounds(null, [primary, second])).toEqual({ x: 240, y: 103, width: 1440, height: 900 });
  });

  test("is restored on any display", () => {
    const onSecond = { x: 2000, y: 100, width: 1600, height: 1000 };
    expect(windowBounds(onSecond, [primary, second])).toEqual(onSecond);
  });

  test("may be partly off-screen while the top edge can be grabbed", () => {
    const half = { x: -900, y: 60, width: 1200, height: 800 };
    expect(windowBounds(half, [primary])).toEqual(half);
  });

  test.each([
    ["the display is gone", { x: 2000, y: 100, width: 1600, height: 1000 }],
    ["it lies above the display", { x: 100, y: -400, width: 1200, height: 800 }],
    ["it lies below the display", { x: 100, y: 1075, width: 1200, height: 800 }],
    ["only a narrow strip would show", { x: 1900, y: 100, width: 1200, height: 800 }],
  ])("is centred again when %s", (_reason, remembered) => {
    expect(windowBounds(remembered, [primary])).toEqual(windowBounds(null, [primary]));
  });

  test("shrinks to a smaller display", () => {
    const small = { x: 0, y: 0, width: 1280, height: 720 };
    const remembered = { x: 10, y: 10, width: 2400, height: 1300 };
    expect(windowBounds(remembered, [small])).toEqual({ x: 10, y: 10, width: 1280, height: 720 });
  });

  test("fits a projector, or 1280×800 at 125 %", () => {
    const projector = { x: 0, y: 0, width: 1024, height: 640 };
    expect(windowBounds(null, [projector])).toEqual(projector);
  });

  test("is never smaller than the explorer's minimum", () => {
    const remembered = { x: 10, y: 30, width: 200, height: 100 };
    expect(windowBounds(remembered, [primary])).toMatchObject(minimumSize);
    expect(windowBounds(null, [{ x: 0, y: 0, width: 800, height: 600 }])).toEqual({ x: 0, y: 0, ...minimumSize });
  });

  test("is offset from the opening window, or centred without room", () => {
    const first = { x: 100, y: 125, width: 1200, height: 800 };
    expect(windowBounds(offsetBounds(first), [primary])).toEqual({ ...first, x: 128, y: 153 });
    const lowest = { ...first, y: 1040 };
    expect(windowBounds(offsetBounds(lowest), [primary])).toEqual(windowBounds(null, [primary]));
  });
});
