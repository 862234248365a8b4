import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Courtesy } from "./courtesy.ts";

const SPAN_MS = 25;

const setUp = () => {
  vi.useFakeTimers();
  const waited: string[][] = [];
  let now = 1_000;
  const courtesy = new Courtesy<string>(
    (ones) => void waited.push([...ones]),
    () => now,
  );
  onTestFinished(() => {
    courtesy.stop();
    vi.useRealTimers();
  });
  /** Lets a span with so many calls go by. */
  const span = (calls: number): void => {
    for (let call = 0; call < calls; call++) courtesy.called();
    now += SPAN_MS;
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { courtesy, waited, span, pass };
};

describe("letting callers go first", () => {
  it("holds nothing back while few call, or nobody", () => {
    const { courtesy, span } = setUp();
    expect(courtesy.left).toBe(Number.POSITIVE_INFINITY);
    for (let count = 0; count < 4; count++) {
      span(20);
      courtesy.sent(1_000, 0);
      expect(courtesy.left).toBe(Number.POSITIVE_INFINITY);
    }
  });

  it("lets an eighth as many notifications leave as there are calls in a rush", () => {
    const { courtesy, span } = setUp();
    span(800);
    expect(courtesy.left).toBe(100);
    courtesy.sent(48, 10);
    expect(courtesy.left).toBe(52);
    courtesy.sent(52, 10);
    expect(courtesy.left).toBe(0);
    span(800);
    expect(courtesy.left).toBe(100);
  });

  it("lets some leave however few the calls of a rush are", () => {
    const { courtesy, span } = setUp();
    span(64);
    expect(courtesy.left).toBe(16);
  });

  it("holds nothing back once the rush is over", () => {
    const { courtesy, span, pass } = setUp();
    span(800);
    expect(courtesy.left).toBe(100);
    pass(2 * SPAN_MS);
    expect(courtesy.left).toBe(Number.POSITIVE_INFINITY);
  });

  it("lets more leave the longer the next one has waited, and all of them after three seconds", () => {
    const { courtesy, span } = setUp();
    const leftAfter = (lagMs: number): number => {
      courtesy.sent(1, lagMs);
      span(800);
      return courtesy.left;
    };
    expect([1_500, 2_250, 2_999].map(leftAfter)).toEqual([100, 450, 800]);
    expect(leftAfter(3_000)).toBe(Number.POSITIVE_INFINITY);
    expect(leftAfter(20)).toBe(100);
  });

  it("goes on by itself with those that had to wait, and with none that has ended", () => {
    const { courtesy, waited } = setUp();
    for (const one of ["a", "b", "c", "a"]) courtesy.wait(one);
    courtesy.forget("b");
    vi.advanceTimersByTime(SPAN_MS);
    expect(waited).toEqual([["a", "c"]]);
    courtesy.wait("b");
    courtesy.stop();
    vi.advanceTimersByTime(10 * SPAN_MS);
    expect(waited).toHaveLength(1);
  });
});
