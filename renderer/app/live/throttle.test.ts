import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createThrottle } from "./cache-sync.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const worked = (ms: number) => vi.fn((_key: string) => new Promise((resolve) => setTimeout(resolve, ms)));

it("runs at once, then at most once an interval, and never misses the last", async () => {
  const work = worked(0);
  const touch = createThrottle(250, work);
  for (let i = 0; i < 500; i++) touch("jobs");
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(250);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  touch("jobs");
  expect(work).toHaveBeenCalledTimes(3);
});

it("waits for work that takes longer than the interval, and goes on after work that failed", async () => {
  const work = worked(700).mockRejectedValueOnce(new Error("away"));
  const touch = createThrottle(250, work);
  touch("jobs");
  touch("jobs");
  await vi.advanceTimersByTimeAsync(250);
  expect(work).toHaveBeenCalledTimes(2);
  touch("jobs");
  await vi.advanceTimersByTimeAsync(690);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10);
  expect(work).toHaveBeenCalledTimes(3);
});

it("keeps keys apart", () => {
  const work = worked(0);
  const touch = createThrottle(250, work);
  touch("jobs");
  touch("deliveries");
  expect(work.mock.calls).toEqual([["jobs"], ["deliveries"]]);
});
