import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyChoices } from "../contract/control/policies.ts";
import { nextWaitMs } from "./retry-schedule.ts";

const MIDDLE = 0.5;
/** The waits after the first ten failed attempts, in seconds; null: it has given up. */
const seconds = (schedule: "standard" | "fast" | "none"): (number | null)[] =>
  Array.from({ length: 10 }, (_, index) => nextWaitMs(schedule, index + 1, MIDDLE)).map((ms) => ms && ms / 1_000);

describe("the retry schedule", () => {
  it("D72: standard attempts again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h and 3 h, then gives up", () => {
    expect(seconds("standard")).toEqual([5, 30, 120, 600, 1_800, 3_600, 10_800, null, null, null]);
  });

  it("D72: fast attempts again after 0.2, 0.5, 1, 2 and 5 s, then gives up", () => {
    expect(seconds("fast")).toEqual([0.2, 0.5, 1, 2, 5, ...Array(5).fill(null)]);
  });

  it("D72: none gives up after the first attempt", () => {
    expect(seconds("none")).toEqual(Array(10).fill(null));
  });

  it("spreads each wait over ten per cent either side, in whole milliseconds", () => {
    expect([nextWaitMs("standard", 1, 0), nextWaitMs("standard", 1, 1)]).toEqual([4_500, 5_500]);
    const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...policyChoices.webhook_retries),
        fc.integer({ min: 1, max: 12 }),
        jitter,
        (schedule, made, spread) => {
          const middle = nextWaitMs(schedule, made, MIDDLE);
          const wait = nextWaitMs(schedule, made, spread);
          if (middle === null || wait === null) {
            expect([middle, wait]).toEqual([null, null]);
            return;
          }
          expect(Number.isInteger(wait)).toBe(true);
          expect(wait).toBeGreaterThanOrEqual(middle * 0.9 - 0.5);
          expect(wait).toBeLessThanOrEqual(middle * 1.1 + 0.5);
        },
      ),
    );
  });
});
