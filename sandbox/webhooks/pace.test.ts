import { describe, expect, it } from "vitest";
import { MOST_UNDER_WAY, Pace } from "./pace.ts";

const quick = { acknowledged: true, durationMs: 1 };
const times = (count: number, act: () => void): void => {
  for (let index = 0; index < count; index += 1) act();
};
const grown = (): Pace => {
  const pace = new Pace();
  times(200, () => pace.ended(quick));
  return pace;
};

describe("how many may be under way to a receiver", () => {
  it("is one at first, and grows with a run of quick acknowledgements up to its limit", () => {
    const pace = new Pace();
    const windows = [pace.window];
    times(200, () => {
      pace.ended(quick);
      if (windows.at(-1) !== pace.window) windows.push(pace.window);
    });
    expect(windows).toEqual([1, 2, 4, 8, 16, 32, MOST_UNDER_WAY]);
  });

  it("stays one for a receiver that takes its time", () => {
    const pace = new Pace();
    times(1_000, () => pace.ended({ acknowledged: true, durationMs: 60 }));
    expect(pace.window).toBe(1);
  });

  it.each([
    ["a refusal", { acknowledged: false, durationMs: 1 }],
    ["an answer that took long", { acknowledged: true, durationMs: 400 }],
  ])("is one again after %s", (_, pulse) => {
    const pace = grown();
    expect(pace.window).toBe(MOST_UNDER_WAY);
    pace.ended(pulse);
    expect(pace.window).toBe(1);
    times(2, () => pace.ended(quick));
    expect(pace.window).toBe(2);
  });

  it("stays one for hundreds of acknowledgements after something was lost, each on a connection of its own, and for longer each time", () => {
    const pace = grown();
    const cautious = (): number => {
      pace.lost();
      for (let count = 1; ; count += 1) {
        expect([pace.window, pace.keeps]).toEqual([1, false]);
        pace.ended(quick);
        if (pace.keeps) return count;
      }
    };
    expect([cautious(), cautious(), cautious()]).toEqual([256, 512, 1_024]);
    times(2, () => pace.ended(quick));
    expect(pace.window).toBe(2);
  });
});
