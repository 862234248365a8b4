/** How an address fares. Times are real, milliseconds since 1970. */
export interface Health {
  readonly last_success_at: number | null;
  /** The first failure without a success since; null while it acknowledges. */
  readonly failing_since: number | null;
  readonly consecutive_failures: number;
}

/** An address that has acknowledged nothing for so long, although it was sent to, is sent nothing further. */
export const PAUSE_AFTER_MS = 3 * 86_400_000;

/** The health after an attempt that ended at `at`. */
export const healthAfter = (health: Health, acknowledged: boolean, at: number): Health =>
  acknowledged
    ? { last_success_at: at, failing_since: null, consecutive_failures: 0 }
    : {
        ...health,
        failing_since: health.failing_since ?? at,
        consecutive_failures: health.consecutive_failures + 1,
      };

/** Whether it has failed for so long, from its first failure on, that nothing more is sent until a person says so. */
export const isGivenUp = ({ failing_since }: Health, at: number): boolean =>
  failing_since !== null && at - failing_since >= PAUSE_AFTER_MS;
