import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { groupFailures } from "./failure-groups.ts";
import type { FailedDelivery } from "./live-failures.ts";

const failed = (id: string) => ({ world: "default", delivery: { id } }) as FailedDelivery;

describe("failures are grouped", () => {
  const show = vi.fn();
  const shown = () => show.mock.calls.map(([newest, count]) => [newest.delivery.id, count]);
  beforeEach(() => {
    vi.useFakeTimers();
    show.mockClear();
  });
  afterEach(() => vi.useRealTimers());

  test("simultaneous failures make one notice, with the newest", () => {
    const groups = groupFailures(show);
    for (const id of ["1", "2", "3"]) groups.add(failed(id));
    expect(shown()).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(shown()).toEqual([["3", 3]]);
  });

  test("a thousand failures a second make at most one notice a minute, and count all", () => {
    const groups = groupFailures(show);
    for (let second = 0; second < 3600; second++) {
      for (let n = 0; n < 1000; n++) groups.add(failed("x"));
      vi.advanceTimersByTime(1000);
    }
    vi.advanceTimersByTime(60_000);
    expect(show.mock.calls.length).toBeLessThanOrEqual(61);
    expect(shown().reduce((sum, [, count]) => sum + Number(count), 0)).toBe(3_600_000);
  });

  test("after a quiet minute, the next failure is shown immediately", () => {
    const groups = groupFailures(show);
    groups.add(failed("1"));
    vi.advanceTimersByTime(2000 + 60_000);
    groups.add(failed("2"));
    vi.advanceTimersByTime(2000);
    expect(shown()).toEqual([
      ["1", 1],
      ["2", 1],
    ]);
  });

  test("cleared failures are not shown", () => {
    const groups = groupFailures(show);
    groups.add(failed("1"));
    groups.clear();
    vi.advanceTimersByTime(60_000);
    groups.add(failed("2"));
    vi.advanceTimersByTime(2000);
    expect(shown()).toEqual([["2", 1]]);
  });
});
