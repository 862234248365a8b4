import { useSyncExternalStore } from "react";

/**
 * One timer for every relative time on the screen. The world's clock can be ahead of or behind real time (D84); the
 * service's stamps in a world compare to that world's clock.
 */
let offsetMs = 0;
let tick = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const beat = () => {
  tick = Date.now();
  for (const listener of listeners) listener();
};
const onVisible = () => {
  if (document.visibilityState === "visible") beat();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (!timer) {
    tick = Date.now();
    timer = setInterval(beat, 1000);
    document.addEventListener("visibilitychange", onVisible);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || !timer) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener("visibilitychange", onVisible);
  };
};

/** Sets the offset of the world's clock in seconds; negative if it is behind. */
export const setWorldClockOffset = (seconds: number): void => {
  offsetMs = seconds * 1000;
  beat();
};

/** Offset of the world's clock in milliseconds, negative if it is behind; re-renders when it changes. */
export const useWorldAhead = (): number => useSyncExternalStore(subscribe, () => offsetMs);

export type Clock = "world" | "real";
/** Without a time on the screen the timer is stopped, and the last tick may be old. */
export const nowOn = (clock: Clock): number => (timer ? tick : Date.now()) + (clock === "world" ? offsetMs : 0);

/**
 * The time on the clock in milliseconds, rounded down to `stepMs`, so that a component renders only when its text may
 * change.
 */
export const useNow = (clock: Clock, stepMs: number): number =>
  useSyncExternalStore(subscribe, () => Math.floor(nowOn(clock) / stepMs) * stepMs);

/** A value made from the time; the component renders only when it changes. */
export const useNowValue = <T extends string | number | boolean>(clock: Clock, make: (nowMs: number) => T): T =>
  useSyncExternalStore(subscribe, () => make(nowOn(clock)));
