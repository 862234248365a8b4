import { describe, expect, it } from "vitest";
import { isResetNear, remainingText, worldContents } from "./use-worlds.ts";

const minutes = (count: number) => count * 60_000;

describe("what is in a world", () => {
  it("names subscriptions only where there are some", () => {
    const counts = { jobs: 1, procurements: 12, credentials: 5, subscriptions: 0 };
    expect(worldContents({ counts })).toBe("1 job, 12 orders");
    expect(worldContents({ counts: { ...counts, subscriptions: 2 } })).toBe("1 job, 12 orders, 2 subscriptions");
  });
});

describe("the time a world has left", () => {
  it("is told in minutes that are not over yet, and in seconds at last", () => {
    expect(remainingText(minutes(57.2))).toBe("resets in 58 min");
    expect(remainingText(minutes(60))).toBe("resets in 1 h");
    expect(remainingText(42_000)).toBe("resets in 42 s");
  });
  it("is never told where it never resets", () => expect(remainingText(null)).toBeNull());
  it("is over until the service has noticed", () => expect(remainingText(-5)).toBe("resets soon"));
  it("is short in the last five minutes", () => {
    expect(isResetNear(minutes(4.9))).toBe(true);
    expect(isResetNear(minutes(5))).toBe(false);
    expect(isResetNear(null)).toBe(false);
  });
});
