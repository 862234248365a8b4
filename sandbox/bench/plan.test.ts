import { describe, expect, it } from "vitest";
import { interleaved, measureInterleaved } from "./plan.ts";

describe("the order of measuring", () => {
  it("takes every variant in turn and does not count the first round", () => {
    expect(interleaved(["H", "ours"], 2).map(({ name, counts }) => `${name}${counts ? "" : " (warm-up)"}`)).toEqual([
      "H (warm-up)",
      "ours (warm-up)",
      "H",
      "ours",
      "H",
      "ours",
    ]);
  });

  it("never measures two at once, and keeps the counted values in the order of time", async () => {
    let underWay = 0;
    let most = 0;
    let calls = 0;
    const measure = async (): Promise<number> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      calls += 1;
      return calls;
    };
    expect(await measureInterleaved({ H: measure, ours: measure }, 3)).toEqual({ H: [3, 5, 7], ours: [4, 6, 8] });
    expect(most).toBe(1);
  });

  it("ends with the first variant that fails", async () => {
    let calls = 0;
    const counted = async () => {
      calls += 1;
      return 1;
    };
    const failing = () => Promise.reject(new Error("An answer was 500 instead of 200"));
    await expect(measureInterleaved({ counted, failing, never: counted }, 3)).rejects.toThrow("500 instead of 200");
    expect(calls).toBe(1);
  });
});
