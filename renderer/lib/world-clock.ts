import { useSyncExternalStore } from "react";

/**
 * One timer for every relative time on the screen. The world's clock can be ahead of real time, or behind it (D84); what the
 * service stamps in a world is read against that world's now.
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

/** Tells how far the world's clock is ahead, in seconds; negative where it is behind. */
export const setWorldClockOffset = (seconds: number): void => {
  offsetMs = seconds * 1000;
  beat();
};

/** How far the world's clock is ahead, in milliseconds, negative where it is behind; rendered anew when it is moved. */
export const useWorldAhead = (): number => useSyncExternalStore(subscribe, () => offsetMs);

export type Clock = "world" | "real";
/** While no time is on the screen nothing beats, and the last beat may be long past. */
export const nowOn = (clock: Clock): number => (timer ? tick : Date.now()) + (clock === "world" ? offsetMs : 0);

/**
 * Milliseconds of now on the clock, rounded down to `stepMs`, so that a component renders only when its text may change.
 */
export const useNow = (clock: Clock, stepMs: number): number =>
  useSyncExternalStore(subscribe, () => Math.floor(nowOn(clock) / stepMs) * stepMs);

/** A text made from now; the component renders only when the text changes. */
export const useNowText = (clock: Clock, make: (nowMs: number) => string): string =>
  useSyncExternalStore(subscribe, () => make(nowOn(clock)));
