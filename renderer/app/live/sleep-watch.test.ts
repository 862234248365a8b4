import { describe, expect, it } from "vitest";
import { watchSleep } from "./sleep-watch.ts";

/** A machine whose timers stand still while it sleeps. */
const machine = () => {
  let at = 0;
  let look = () => undefined as unknown;
  let woken = 0;
  const stop = watchSleep(() => woken++, {
    now: () => at,
    every: (_ms, work) => {
      look = work;
      return () => {
        look = () => undefined;
      };
    },
  });
  return {
    pass: (ms: number) => {
      at += ms;
      look();
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
