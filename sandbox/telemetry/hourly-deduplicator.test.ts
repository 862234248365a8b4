import { expect, it } from "vitest";
import { HourlyDeduplicator } from "./hourly-deduplicator.ts";

const HOUR_MS = 3_600_000;

it("passes a key once in each hour of the clock", () => {
  const once = new HourlyDeduplicator();
  const first = (key: string, minutes: number) => once.isFirst(key, minutes * 60_000);
  expect([first("a", 1), first("a", 59), first("b", 59), first("a", 60), first("a", 119)]).toEqual([
    ...[true, false, true, true, false],
  ]);
  once.clear();
  expect(first("a", 119)).toBe(true);
});

it("starts over after many keys, to limit memory", () => {
  const once = new HourlyDeduplicator();
  const isFirst = (key: number) => once.isFirst(String(key), HOUR_MS);
  expect(Array.from({ length: 10_000 }, (_, key) => isFirst(key)).every(Boolean)).toBe(true);
  expect([isFirst(0), isFirst(9_999), isFirst(10_000), isFirst(0)]).toEqual([false, false, true, true]);
});
