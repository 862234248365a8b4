/**
 * Runs `work` for a key at once and then at most every `everyMs`; what comes in between is done once, at the end of
 * the interval, so that the last change is never missed.
 */
export const createThrottle = (everyMs: number, work: (key: string) => void): ((key: string) => void) => {
  const waiting = new Map<string, { again: boolean }>();
  const run = (key: string): void => {
    const state = { again: false };
    waiting.set(key, state);
    work(key);
    setTimeout(() => {
      waiting.delete(key);
      if (state.again) run(key);
    }, everyMs);
  };
  return (key) => {
    const state = waiting.get(key);
    if (state) state.again = true;
    else run(key);
  };
};
