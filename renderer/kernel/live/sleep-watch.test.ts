import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchSleep } from "./live-feed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A machine whose timers stand still while it sleeps. */
const machine = () => {
  let woken = 0;
  const stop = watchSleep(() => woken++);
  return {
    pass: (ms: number) => {
      vi.setSystemTime(Date.now() + ms - 5_000);
      vi.advanceTimersByTime(5_000);
    },
    stop,
    woken: () => woken,
  };
};

describe("the watch over sleep", () => {
  it("tells once when far more time has passed than its timer was set for", () => {
    const { pass, woken } = machine();
    pass(5_000);
    pass(3_600_000);
    expect(woken()).toBe(1);
    pass(5_000);
    expect(woken()).toBe(1);
  });
  it("takes a hidden window, whose timers run once a minute, for awake", () => {
    const { pass, woken } = machine();
    for (let minute = 0; minute < 60; minute++) pass(60_000);
    expect(woken()).toBe(0);
  });
  it("tells nothing once it is ended", () => {
    const { pass, stop, woken } = machine();
    stop();
    pass(3_600_000);
    expect(woken()).toBe(0);
  });
});
