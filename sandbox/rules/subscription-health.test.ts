import { describe, expect, it } from "vitest";
import {
  type EndedDelivery,
  type Failure,
  type Health,
  healthAfter,
  isGivenUp,
  PAUSE_AFTER_MS,
  recentOf,
} from "./subscription-health.ts";

const fresh: Health = { last_success_at: null, failing_since: null, last_failure: null, consecutive_failures: 0 };
const failure = (at: number): Failure => ({ delivery_id: `of ${at}`, status: 500, error: null });
const healthOf = (...attempts: readonly (readonly [boolean, number])[]): Health =>
  attempts.reduce((health, [acknowledged, at]) => healthAfter(health, acknowledged ? null : failure(at), at), fresh);

describe("how an address fares", () => {
  it("is failing from its first failure on, until it acknowledges", () => {
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

  it("is given up after three days of failures without a success between, not sooner", () => {
    const health = healthOf([true, 0], [false, 10], [false, 20]);
    expect(PAUSE_AFTER_MS).toBe(3 * 24 * 60 * 60 * 1_000);
    expect([9, 10 + PAUSE_AFTER_MS - 1, 10 + PAUSE_AFTER_MS].map((at) => isGivenUp(health, at))).toEqual([
      false,
      false,
      true,
    ]);
    expect(isGivenUp(healthAfter(health, null, PAUSE_AFTER_MS), 2 * PAUSE_AFTER_MS)).toBe(false);
  });
});

describe("how the newest deliveries went", () => {
  const ended = (id: string, attempts_made: number, took_ms: number, delivered = true): EndedDelivery => ({
    ...{ id, attempts_made, took_ms, delivered },
    ...{ first_status: attempts_made === 1 && delivered ? 200 : 500, first_error: null },
  });

  it("says what an acknowledgement hides: that none came at the first attempt", () => {
    const twelve = Array.from({ length: 12 }, (_, index) => ended(`d${index}`, 3, 34_000));
    expect(recentOf(twelve)).toMatchObject({
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

  it("takes the time that 95 in 100 keep, of what was acknowledged alone", () => {
    const fast = Array.from({ length: 19 }, (_, index) => ended(`d${index}`, 1, 10));
    expect(recentOf([...fast, ended("slow", 2, 9_000)]).acknowledged_p95_ms).toBe(10);
    expect(recentOf([ended("a", 1, 10), ended("b", 8, 90_000, false)])).toMatchObject({
      ...{ at_first_attempt: 1, acknowledged_p95_ms: 10 },
      failures: [{ delivery_id: "b", delivered: false }],
    });
    expect(recentOf([])).toMatchObject({ ended: 0, acknowledged_p95_ms: null, failures: [] });
  });

  it("counts what was given up beside what came at a later attempt", () => {
    expect(recentOf([ended("a", 1, 10), ended("b", 8, 90_000, false), ended("c", 2, 3_000)])).toMatchObject({
      ...{ ended: 3, at_first_attempt: 1, given_up: 1, least_attempts: 2, most_attempts: 2 },
    });
    expect(recentOf([ended("a", 8, 90_000, false)])).toMatchObject({
      given_up: 1,
      least_attempts: 0,
      most_attempts: 0,
    });
  });
});
