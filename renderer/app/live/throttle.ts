/**
 * Runs `work` for a key at once, then at most every `everyMs` and never twice at a time; what comes in between is done
 * once, when the interval and the work are over, so that the last change is never missed.
 */
export const createThrottle = (everyMs: number, work: (key: string) => Promise<unknown>): ((key: string) => void) => {
  const again = new Map<string, boolean>();
  const run = async (key: string): Promise<void> => {
    again.set(key, false);
    await Promise.allSettled([work(key), new Promise((resolve) => setTimeout(resolve, everyMs))]);
    if (again.get(key)) void run(key);
    else again.delete(key);
  };
  return (key) => {
    if (again.has(key)) again.set(key, true);
    else void run(key);
  };
};
