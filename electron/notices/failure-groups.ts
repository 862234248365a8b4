import type { FailedDelivery } from "./live-failures.ts";

/** Delay before the first notification, in milliseconds, to group failures that occur together. */
const gatherMs = 2000;
/** Minimum interval between notifications, in milliseconds. */
const quietMs = 60_000;

/** Groups failures into few notifications. */
export interface FailureGroups {
  add(failed: FailedDelivery): void;
  /** Discards failures that were not shown. */
  clear(): void;
}

/**
 * Shows failures in groups: the first after two seconds, then at most once a minute.
 *
 * @param show receives the newest failure and the number of failures since the last notification
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
