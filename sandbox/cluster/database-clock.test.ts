import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { realTime, setRealTime } from "../storage/real-time.ts";
import type { SharedDatabase } from "./database.ts";
import { DatabaseClock } from "./database-clock.ts";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    setRealTime(null);
  });
});

/** A node's clock, and a database whose clock is ahead. The query takes half of the round trip. */
const clocks = () => {
  const clock = new DatabaseClock();
  let ahead = 0;
  return {
    clock,
    /** @returns true if the node finds that the database's clock was set */
    hear: (aheadMs = ahead, awayMs = 0): boolean => {
      ahead = aheadMs;
      const sent = performance.now();
      vi.advanceTimersByTime(awayMs / 2);
      const at = Date.now() + ahead;
      vi.advanceTimersByTime(awayMs / 2);
      return clock.update(sent, at);
    },
    offset: () => realTime() - Date.now(),
  };
};

test("D98: time follows the database and the monotonic clock, whatever the machine's clock says", () => {
  const { clock, hear, offset } = clocks();
  hear(3_000, 40);
  expect([offset(), clock.aheadMs, clock.isOff]).toEqual([3_000, -3_000, false]);
  const before = realTime();
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(1_000);
  expect([realTime() - before, clock.isOff]).toEqual([1_000, true]);
});

test("D98: a slow response doesn't move a time that may be right", () => {
  const { hear, offset } = clocks();
  hear(0);
  // A round trip of 1,000 ms allows an error of 500 ms, so an offset of 400 ms proves nothing.
  expect(hear(400, 1_000)).toBe(false);
  expect(offset()).toBe(0);
  expect(hear(400)).toBe(false);
  expect(offset()).toBe(400);
});

test("D98: a node survives a change of the database's clock, but not of its own", () => {
  const { clock, hear, offset } = clocks();
  expect(hear(0)).toBe(false);
  expect(hear(10_000, 20)).toBe(true);
  expect([hear(), offset(), clock.isOff]).toEqual([false, 10_000, false]);
  vi.setSystemTime(Date.now() - 6_000);
  expect(clock.isOff).toBe(true);
  // Corrects both clocks.
  vi.setSystemTime(Date.now() + 6_000);
  expect([hear(0), clock.isOff]).toEqual([true, false]);
});

test.each([
  [6_000, "6 seconds behind"],
  [-6_000, "6 seconds ahead of"],
])("D98: a node whose database is %i ms ahead doesn't start, and says so", async (aheadMs, said) => {
  const ask = (ms: number) => {
    const database = { run: async () => [{ at: Date.now() + ms }] } as unknown as SharedDatabase;
    return new DatabaseClock().ask(database);
  };
  await expect(ask(aheadMs)).rejects.toThrow(said);
  await ask(aheadMs / 2);
});
