import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Watch } from "./watch.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

const watched = () => {
  const one = { open: true, checked: 0, closed: false };
  return Object.assign(one, {
    check: () => {
      one.checked += 1;
    },
    close: () => {
      one.closed = true;
    },
  });
};

it("looks at what is open a few times a second, and at nothing when nothing is", () => {
  const watch = new Watch();
  const [one, other] = [watched(), watched()];
  watch.add(one);
  watch.add(other);
  vi.advanceTimersByTime(1_000);
  expect([one.checked, other.checked]).toEqual([4, 4]);
  one.open = false;
  vi.advanceTimersByTime(500);
  expect([one.checked, other.checked]).toEqual([5, 6]);
  other.open = false;
  vi.advanceTimersByTime(250);
  expect(vi.getTimerCount()).toBe(0);
  watch.add(one);
  expect(vi.getTimerCount()).toBe(1);
});

it("judges nobody by a look that came late: the answer may lie there unread", () => {
  const watch = new Watch();
  const one = watched();
  watch.add(one);
  vi.advanceTimersByTime(250);
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + 12_000);
  vi.advanceTimersToNextTimer();
  expect(one.checked).toBe(1);
  vi.spyOn(performance, "now").mockReturnValue(now + 12_250);
  vi.advanceTimersToNextTimer();
  expect(one.checked).toBe(2);
});

it("ends all at once, and forgets what it is told to forget", () => {
  const watch = new Watch();
  const [one, other] = [watched(), watched()];
  watch.add(one);
  watch.add(other);
  watch.remove(other);
  watch.closeAll();
  expect([one.closed, other.closed, vi.getTimerCount()]).toEqual([true, false, 0]);
});
