import { describe, expect, it } from "vitest";
import { isEnding, leftWords, worldContents } from "./use-worlds.ts";

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
    expect(leftWords(minutes(57.2))).toBe("resets in 58 min");
    expect(leftWords(minutes(60))).toBe("resets in 1 h");
    expect(leftWords(42_000)).toBe("resets in 42 s");
  });
  it("is never told where it never resets", () => expect(leftWords(null)).toBeNull());
  it("is over until the service has noticed", () => expect(leftWords(-5)).toBe("resets soon"));
  it("is short in the last five minutes", () => {
    expect(isEnding(minutes(4.9))).toBe(true);
    expect(isEnding(minutes(5))).toBe(false);
    expect(isEnding(null)).toBe(false);
  });
});
