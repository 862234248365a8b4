import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyChoices } from "../contract/control/policies.ts";
import { nextWaitMs, triesOf } from "./retry-schedule.ts";

const MIDDLE = 0.5;
const seconds = (schedule: "standard" | "fast" | "none"): (number | null)[] =>
  Array.from({ length: triesOf(schedule) }, (_, index) => nextWaitMs(schedule, index + 1, MIDDLE)).map(
    (ms) => ms && ms / 1_000,
  );

describe("the retry schedule", () => {
  it("D72: standard tries after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h and 3 h, then gives up", () => {
    expect(triesOf("standard")).toBe(8);
    expect(seconds("standard")).toEqual([5, 30, 120, 600, 1_800, 3_600, 10_800, null]);
  });

  it("D72: fast tries after 0.2, 0.5, 1, 2 and 5 s, then gives up", () => {
    expect(triesOf("fast")).toBe(6);
    expect(seconds("fast")).toEqual([0.2, 0.5, 1, 2, 5, null]);
  });

  it("D72: none gives up after the first try", () => {
    expect(triesOf("none")).toBe(1);
    expect(nextWaitMs("none", 1, MIDDLE)).toBeNull();
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
            expect([middle, wait, made >= triesOf(schedule)]).toEqual([null, null, true]);
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
