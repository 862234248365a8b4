/** Offset of the shared clock from `performance.now()`; null uses this machine's clock. */
let origin: number | null = null;

/**
 * Time for everything that is stored, compared or sent, in milliseconds since 1970. Machines that share worlds use the
 * clock of their database (D98). Measure durations with `performance.now()`.
 */
export const realTime = (): number => (origin === null ? Date.now() : Math.floor(origin + performance.now()));

/**
 * Sets the shared time, which then advances with the monotonic clock. @param at null returns to this machine's clock
 */
export const setRealTime = (at: number | null): void => {
  origin = at === null ? null : at - performance.now();
};
