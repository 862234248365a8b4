import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyChoices } from "../../contract/control/policies.ts";
import {
  countRecent,
  type EndedDelivery,
  type Failure,
  type Health,
  nextWaitMs,
  PAUSE_AFTER_MS,
  shouldPause,
  updateHealth,
} from "./subscription-health.ts";

const fresh: Health = { last_success_at: null, failing_since: null, last_failure: null, consecutive_failures: 0 };
const failure = (at: number): Failure => ({ delivery_id: `of ${at}`, status: 500, error: null });
const healthOf = (...attempts: readonly (readonly [boolean, number])[]): Health =>
  attempts.reduce((health, [acknowledged, at]) => updateHealth(health, acknowledged ? null : failure(at), at), fresh);

describe("the health of an address", () => {
  it("is failing from the first failure until the next acknowledgement", () => {
    expect(healthOf([false, 10], [false, 20], [false, 30])).toEqual({
      last_success_at: null,
      failing_since: 10,
      last_failure: failure(30),
      consecutive_failures: 3,
    });
    expect(healthOf([false, 10], [true, 20])).toEqual({ ...fresh, last_success_at: 20 });
    expect(healthOf([true, 10], [false, 20], [true, 30], [false, 40])).toEqual({
      last_success_at: 30,
      failing_since: 40,
      last_failure: failure(40),
      consecutive_failures: 1,
    });
  });

  it("pauses after three days of failures without a success", () => {
    const health = healthOf([true, 0], [false, 10], [false, 20]);
    expect(PAUSE_AFTER_MS).toBe(3 * 24 * 60 * 60 * 1_000);
    expect([9, 10 + PAUSE_AFTER_MS - 1, 10 + PAUSE_AFTER_MS].map((at) => shouldPause(health, at))).toEqual([
      false,
      false,
      true,
    ]);
    expect(shouldPause(updateHealth(health, null, PAUSE_AFTER_MS), 2 * PAUSE_AFTER_MS)).toBe(false);
  });
});

describe("the summary of the newest deliveries", () => {
  const ended = (id: string, attempts_made: number, took_ms: number, delivered = true): EndedDelivery => ({
    ...{ id, attempts_made, took_ms, delivered },
    ...{ first_status: attempts_made === 1 && delivered ? 200 : 500, first_error: null },
  });

  it("shows that none was acknowledged at the first attempt", () => {
    const twelve = Array.from({ length: 12 }, (_, index) => ended(`d${index}`, 3, 34_000));
    expect(countRecent(twelve)).toMatchObject({
      ...{
        ended: 12,
        at_first_attempt: 0,
        given_up: 0,
        least_attempts: 3,
        most_attempts: 3,
        acknowledged_p95_ms: 34_000,
      },
      failures: [
        { delivery_id: "d0", status: 500, attempts_made: 3, delivered: true },
        { delivery_id: "d1" },
        { delivery_id: "d2" },
      ],
    });
  });

  it("has the 95th percentile of acknowledged deliveries only", () => {
    const fast = Array.from({ length: 19 }, (_, index) => ended(`d${index}`, 1, 10));
    expect(countRecent([...fast, ended("slow", 2, 9_000)]).acknowledged_p95_ms).toBe(10);
    expect(countRecent([ended("a", 1, 10), ended("b", 8, 90_000, false)])).toMatchObject({
      ...{ at_first_attempt: 1, acknowledged_p95_ms: 10 },
      failures: [{ delivery_id: "b", delivered: false }],
    });
    expect(countRecent([])).toMatchObject({ ended: 0, acknowledged_p95_ms: null, failures: [] });
  });

  it("counts failed deliveries beside late ones", () => {
    expect(
      countRecent([ended("a", 1, 10), ended("b", 8, 90_000, false), ended("c", 2, 3_000), ended("d", 4, 9_000)]),
    ).toMatchObject({
      ...{ ended: 4, at_first_attempt: 1, given_up: 1, least_attempts: 2, most_attempts: 4 },
    });
    expect(countRecent([ended("a", 8, 90_000, false)])).toMatchObject({
      given_up: 1,
      least_attempts: 0,
      most_attempts: 0,
    });
  });
});

const MIDDLE = 0.5;
/** Waits after the first ten failed attempts, in seconds; null after the last retry. */
const seconds = (schedule: "standard" | "fast" | "none"): (number | null)[] =>
  Array.from({ length: 10 }, (_, index) => nextWaitMs(schedule, index + 1, MIDDLE)).map((ms) => ms && ms / 1_000);

describe("the retry schedule", () => {
  it("D72: standard retries after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h and 3 h", () => {
    expect(seconds("standard")).toEqual([5, 30, 120, 600, 1_800, 3_600, 10_800, null, null, null]);
  });

  it("D72: fast retries after 0.2, 0.5, 1, 2 and 5 s", () => {
    expect(seconds("fast")).toEqual([0.2, 0.5, 1, 2, 5, ...Array(5).fill(null)]);
  });

  it("D72: none doesn't retry", () => {
    expect(seconds("none")).toEqual(Array(10).fill(null));
  });

  it("varies each wait by up to ten per cent, in whole milliseconds", () => {
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
