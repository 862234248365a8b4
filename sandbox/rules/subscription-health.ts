/** What an attempt came to that was not acknowledged. */
export interface Failure {
  readonly delivery_id: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Why it acknowledges nothing, where the status does not say so. */
  readonly error: string | null;
}

/** How an address fares. Times are real, milliseconds since 1970. */
export interface Health {
  readonly last_success_at: number | null;
  /** The first failure without a success since; null while it acknowledges. */
  readonly failing_since: number | null;
  /** The last failure; null while it acknowledges. */
  readonly last_failure: Failure | null;
  readonly consecutive_failures: number;
}

/** An address that has acknowledged nothing for so long, although it was sent to, is sent nothing further. */
export const PAUSE_AFTER_MS = 3 * 86_400_000;

/** The health after an attempt that ended at `at`. @param failure null where it was acknowledged */
export const healthAfter = (health: Health, failure: Failure | null, at: number): Health =>
  failure === null
    ? { last_success_at: at, failing_since: null, last_failure: null, consecutive_failures: 0 }
    : {
        ...health,
        failing_since: health.failing_since ?? at,
        last_failure: failure,
        consecutive_failures: health.consecutive_failures + 1,
      };

/** Whether it has failed for so long, from its first failure on, that nothing more is sent until a person says so. */
export const isGivenUp = ({ failing_since }: Health, at: number): boolean =>
  failing_since !== null && at - failing_since >= PAUSE_AFTER_MS;
