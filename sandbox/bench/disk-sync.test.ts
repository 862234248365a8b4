import { describe, expect, it } from "vitest";
import { ratioWithSync } from "./disk-sync.ts";

describe("what a disk allows", () => {
  it("is all of H when a sync costs nothing", () => {
    expect(ratioWithSync(10_000, 0)).toBe(1);
  });

  it("is half of H when a sync takes as long as an answer", () => {
    expect(ratioWithSync(10_000, 0.1)).toBe(0.5);
  });

  it("is a fifth of H when a sync takes four times as long as an answer", () => {
    expect(ratioWithSync(10_000, 0.4)).toBeCloseTo(0.2);
  });
});
