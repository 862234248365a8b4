import { describe, expect, it } from "vitest";
import { isResetNear, resetCountdownText, worldContents } from "./use-worlds.ts";

const minutes = (count: number) => count * 60_000;

describe("the contents of a world", () => {
  it("mention subscriptions only if there are any", () => {
    const counts = { jobs: 1, procurements: 12, credentials: 5, subscriptions: 0 };
    expect(worldContents({ counts })).toBe("1 job, 12 orders");
    expect(worldContents({ counts: { ...counts, subscriptions: 2 } })).toBe("1 job, 12 orders, 2 subscriptions");
  });
});

describe("the remaining time of a world", () => {
  it("is rounded up to minutes, then given in seconds", () => {
    expect(resetCountdownText(minutes(57.2))).toBe("resets in 58 min");
    expect(resetCountdownText(minutes(60))).toBe("resets in 1 h");
    expect(resetCountdownText(42_000)).toBe("resets in 42 s");
  });
  it("is null if the world never resets", () => expect(resetCountdownText(null)).toBeNull());
  it("is over until the service resets the world", () => expect(resetCountdownText(-5)).toBe("resets soon"));
  it("is near its end in the last five minutes", () => {
    expect(isResetNear(minutes(4.9))).toBe(true);
    expect(isResetNear(minutes(5))).toBe(false);
    expect(isResetNear(null)).toBe(false);
  });
});
