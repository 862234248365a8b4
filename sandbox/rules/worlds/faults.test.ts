import { describe, expect, it } from "vitest";
import {
  type ArmedFault,
  countAgainstLimit,
  describeFaultRemedy,
  faultState,
  matchesCall,
  remainingUses,
} from "./faults.ts";

const fault = (over: Partial<ArmedFault> = {}): ArmedFault => ({
  id: "f",
  name: null,
  operation: "*",
  integration_id: null,
  calls: null,
  effect: { drop: {} },
  uses: null,
  armed_at: 0,
  expires_at: null,
  matched: 0,
  fired: 0,
  last_fired_at: null,
  ...over,
});
describe("a fault", () => {
  it("applies to one operation or any, and to one integration or all", () => {
    const call = { operation: "a", integration_id: "i" };
    expect(matchesCall(fault(), call)).toBe(true);
    expect(matchesCall(fault({ operation: "a", integration_id: "i" }), call)).toBe(true);
    expect(matchesCall(fault({ operation: "b" }), call)).toBe(false);
    expect(matchesCall(fault({ integration_id: "other" }), call)).toBe(false);
    expect(matchesCall(fault({ integration_id: "i" }), { ...call, integration_id: null })).toBe(false);
  });

  it("has remaining uses limited by its calls and its uses", () => {
    expect(remainingUses(fault())).toBeNull();
    expect(remainingUses(fault({ uses: 3, fired: 1 }))).toBe(2);
    expect(remainingUses(fault({ calls: { nth: 2 }, matched: 1 }))).toBe(1);
    expect(remainingUses(fault({ calls: { nth: 2 }, matched: 2 }))).toBe(0);
    expect(remainingUses(fault({ calls: { nth: 5 }, matched: 1, uses: 2 }))).toBe(1);
  });

  it("ends after its last use, or at its expiry to the millisecond", () => {
    expect(faultState(fault({ expires_at: 10 }), 9)).toBe("armed");
    expect(faultState(fault({ expires_at: 10 }), 10)).toBe("expired");
    expect(faultState(fault({ uses: 1, fired: 1, expires_at: 10 }), 11)).toBe("used_up");
  });
});

it("has a remedy that warns about repeating a call that ran", () => {
  const told = (when: "before" | "after", over: Partial<ArmedFault> = {}) => describeFaultRemedy(fault(over), when, 0);
  expect(told("after")).toMatch(/has run.* Clear the fault first: it is still armed/);
  expect(told("after", { uses: 1, fired: 1 })).toBe(
    "The call has run. Check what it changed before you send it again.",
  );
  expect(told("before", { uses: 1, fired: 1 })).toMatch(/is over/);
  expect(describeFaultRemedy(undefined, "before", 0)).toMatch(/is over/);
  expect(told("before", { effect: { rate_limit: { limit: 1, window_seconds: 7 } } })).toMatch(/window of 7 s/);
  // A new window would allow no call either.
  expect(told("before", { effect: { rate_limit: { limit: 0, window_seconds: 7 } } })).toMatch(/^Clear the fault/);
  expect(told("before")).toMatch(/^Clear the fault/);
});

describe("a rate limit", () => {
  it("starts a window with a call, and a new one with the first call after it", () => {
    const limit = { limit: 2, window_seconds: 10 };
    let window: Parameters<typeof countAgainstLimit>[1];
    const at = (now: number) => {
      const counted = countAgainstLimit(limit, window, now);
      window = counted.window;
      return counted.retryAfterSeconds;
    };
    expect([at(1_000), at(2_000), at(2_001), at(10_999), at(11_000), at(11_001), at(11_002)]).toEqual([
      null,
      null,
      9,
      1,
      null,
      null,
      10,
    ]);
  });
});
