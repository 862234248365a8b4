import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createThrottle } from "./throttle.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("runs at once, then at most once an interval, and never misses the last", () => {
  const work = vi.fn<(key: string) => void>();
  const touch = createThrottle(250, work);
  for (let i = 0; i < 500; i++) touch("jobs");
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(250);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledTimes(2);
  touch("jobs");
  expect(work).toHaveBeenCalledTimes(3);
});

it("keeps keys apart", () => {
  const work = vi.fn<(key: string) => void>();
  const touch = createThrottle(250, work);
  touch("jobs");
  touch("deliveries");
  expect(work.mock.calls).toEqual([["jobs"], ["deliveries"]]);
});
