import { describe, expect, it } from "vitest";
import { type Failure, type Health, healthAfter, isGivenUp, PAUSE_AFTER_MS } from "./subscription-health.ts";

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
