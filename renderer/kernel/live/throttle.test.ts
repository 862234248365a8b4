import { focusManager } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createThrottle } from "./cache-sync.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  focusManager.setFocused(undefined);
});

const worked = (ms: number) => vi.fn((_key: string) => new Promise((resolve) => setTimeout(resolve, ms)));

it("runs immediately, then at most once per interval, and includes the last", async () => {
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

it("waits for slow work, and continues after a failure", async () => {
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

it("treats keys independently", () => {
  const work = worked(0);
  const touch = createThrottle(250, work);
  touch("jobs");
  touch("deliveries");
  expect(work.mock.calls).toEqual([["jobs"], ["deliveries"]]);
});

it("starts work at most four times a second for any number of keys, in turns", async () => {
  const begun: { readonly key: string; readonly at: number }[] = [];
  const touch = createThrottle(250, async (key) => void begun.push({ key, at: Date.now() }));
  const keys = ["requests", "summary", "moments", "traces", "deliveries", "events"];
  const start = Date.now();
  for (let ms = 0; ms < 6_000; ms += 10) {
    for (const key of keys) touch(key);
    await vi.advanceTimersByTimeAsync(10);
  }
  const inTheSecondFrom = (from: number) => begun.filter(({ at }) => at >= from && at < from + 1_000).length;
  for (const { at } of begun) expect(inTheSecondFrom(at)).toBeLessThanOrEqual(4);
  for (const key of keys) {
    const times = begun.filter((one) => one.key === key).map(({ at }) => at - start);
    expect(times.length, key).toBeGreaterThanOrEqual(3);
  }
});

it("starts delayed work within a second, even without further calls", async () => {
  const work = worked(0);
  const touch = createThrottle(250, work);
  touch("a");
  await vi.advanceTimersByTimeAsync(300);
  for (const key of ["b", "c", "d", "e"]) touch(key);
  const timers = vi.getTimerCount();
  for (let count = 0; count < 50; count++) touch("e");
  expect(vi.getTimerCount()).toBe(timers);
  await vi.advanceTimersByTimeAsync(699);
  expect(work).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(1);
  expect(work.mock.lastCall).toEqual(["e"]);
  await vi.advanceTimersByTimeAsync(300);
  expect(vi.getTimerCount()).toBe(0);
});

it("counts the reads of each key against the limit, and gives every key its turn", async () => {
  const begun: { readonly key: string; readonly at: number }[] = [];
  const work = async (key: string) => void begun.push({ key, at: Date.now() });
  const readsOf = (key: string) => Number(key.at(-1));
  const touch = createThrottle(250, work, readsOf);
  const start = Date.now();
  for (let ms = 0; ms < 12_000; ms += 10) {
    for (const key of ["three of 3", "three more of 3", "one of 1", "nine of 9"]) touch(key);
    await vi.advanceTimersByTimeAsync(10);
  }
  const reads = begun.reduce((sum, { key }) => sum + readsOf(key), 0);
  expect(reads / 12).toBeLessThanOrEqual(4.5);
  for (const key of new Set(begun.map((one) => one.key))) {
    const times = begun.filter((one) => one.key === key).map(({ at }) => at - start);
    expect(times.length, `${key}: ${times}`).toBeGreaterThanOrEqual(2);
  }
  expect(new Set(begun.map(({ key }) => key)).size).toBe(4);
});

it("never delays work that reads nothing", () => {
  const work = worked(0);
  const touch = createThrottle(250, work, (key) => (key.startsWith("unseen") ? 0 : 1));
  for (const key of ["a", "b", "c", "d", "e", "unseen 1", "unseen 2"]) touch(key);
  expect(work.mock.calls.map(([key]) => key)).toEqual(["a", "b", "c", "d", "unseen 1", "unseen 2"]);
});

it("starts nothing in a hidden window, and catches up when it is visible", async () => {
  const work = worked(0);
  const touch = createThrottle(250, work);
  focusManager.setFocused(false);
  for (let count = 0; count < 50; count++) {
    touch("jobs");
    touch("deliveries");
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(work).not.toHaveBeenCalled();
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(work.mock.calls).toEqual([["jobs"], ["deliveries"]]);
});
