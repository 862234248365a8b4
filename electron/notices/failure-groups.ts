import type { FailedDelivery } from "./live-failures.ts";

/** How long failures are gathered before the first is shown: what fails together is shown together. */
const gatherMs = 2000;
/** The shortest time from one notification to the next, however much fails in between. */
const quietMs = 60_000;

/** Gathers failures into few notices. */
export interface FailureGroups {
  add(failed: FailedDelivery): void;
  /** Forgets what has not been shown. */
  clear(): void;
}

/**
 * Shows failures in groups: the first one after two seconds, then at most once a minute.
 *
 * @param show called with the newest failure and how many there are in all since the last notice
 */
export function groupFailures(show: (newest: FailedDelivery, count: number) => void): FailureGroups {
  let newest: FailedDelivery | null = null;
  let count = 0;
  let quietUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    if (newest === null) return;
    quietUntil = Date.now() + quietMs;
    const [shown, many] = [newest, count];
    clear();
    show(shown, many);
  }
  function clear(): void {
    clearTimeout(timer);
    [newest, count, timer] = [null, 0, undefined];
  }

  return {
    add(failed) {
      newest = failed;
      count++;
      timer ??= setTimeout(flush, Math.max(gatherMs, quietUntil - Date.now()));
    },
    clear,
  };
}
