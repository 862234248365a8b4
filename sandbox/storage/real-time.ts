/** What the time that counts is ahead of `performance.now()`; null: it is what this machine's clock says. */
let origin: number | null = null;

/**
 * The time that all goes by that is kept, compared or sent, in milliseconds since 1970: this machine's, or their database's
 * where several machines share worlds (D98). How long something takes is measured by `performance.now()`.
 */
export const realTime = (): number => (origin === null ? Date.now() : Math.floor(origin + performance.now()));

/** From here on it is `at`, and what passes on the monotonic clock, whatever this machine's is set to; null: that one's again. */
export const setRealTime = (at: number | null): void => {
  origin = at === null ? null : at - performance.now();
};
