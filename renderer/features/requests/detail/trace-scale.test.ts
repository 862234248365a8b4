import { describe, expect, it } from "vitest";
import { traceScale } from "./trace-scale.ts";

const places = (scale: ReturnType<typeof traceScale>, ...moments: number[]) =>
  moments.map((ms) => Math.round(scale.at(ms)));

describe("the time scale of a trace", () => {
  it("is even without long waits", () => {
    const scale = traceScale([
      { from: 0, to: 31 },
      { from: 33, to: 100 },
    ]);
    expect(places(scale, 0, 25, 50, 100)).toEqual([0, 25, 50, 100]);
    expect(scale.breaks).toEqual([]);
    expect(scale.ticks.map(({ ms }) => ms)).toEqual([0, 20, 40, 60, 80, 100]);
  });

  it("cuts a long wait, so that a retry after 5 s doesn't squeeze milliseconds", () => {
    const scale = traceScale([
      { from: 0, to: 31 },
      { from: 33, to: 51 },
      { from: 5_051, to: 5_063 },
    ]);
    expect(scale.breaks).toHaveLength(1);
    const [first = 0, second = 0, third = 0, last = 0] = places(scale, 0, 51, 5_051, 5_063);
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(60);
    expect(third).toBeGreaterThan(second);
    expect(last).toBe(100);
    expect(scale.ticks.some(({ ms }) => ms >= 5_051)).toBe(true);
  });

  it("keeps every part visible, even for fourteen attempts over a day", () => {
    const attempts = Array.from({ length: 14 }, (_, index) => {
      const from = 5_000 * 2 ** index;
      return { from, to: from + 10 };
    });
    const scale = traceScale([{ from: 0, to: 12 }, ...attempts]);
    expect(scale.breaks).toHaveLength(4);
    const all = attempts.map(({ from }) => scale.at(from));
    expect(all).toEqual(all.toSorted((one, other) => one - other));
    expect(Math.max(...all)).toBeLessThanOrEqual(100);
    expect(scale.ticks.length).toBeLessThan(30);
  });

  it("works for a call without duration or effects", () => {
    const scale = traceScale([{ from: 0, to: 0 }]);
    expect(scale.at(0)).toBe(0);
    expect(scale.at(10)).toBe(100);
    expect(scale.ticks.length).toBeGreaterThan(0);
  });
});
