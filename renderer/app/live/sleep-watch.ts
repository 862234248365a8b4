/** A hidden window's timers run once a minute; only what is late by more than that was asleep. */
const ASLEEP_MS = 90_000;
const LOOKS_EVERY_MS = 5_000;

interface Surroundings {
  readonly now: () => number;
  /** Runs `work` every so many milliseconds; returns what stops it. */
  readonly every: (ms: number, work: () => void) => () => void;
}
const real: Surroundings = {
  now: () => Date.now(),
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
};

/**
 * Tells when the machine slept: a connection that looks open afterwards may long be dead, and timers do not count
 * while it sleeps. Returns what ends the watch.
 */
export const watchSleep = (woke: () => void, { now, every }: Surroundings = real): (() => void) => {
  let last = now();
  return every(LOOKS_EVERY_MS, () => {
    const at = now();
    const slept = at - last > ASLEEP_MS;
    last = at;
    if (slept) woke();
  });
};
