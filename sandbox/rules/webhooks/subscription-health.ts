import type { Policies } from "../../contract/control/policies.ts";
import type { RecentDeliveries, Subscription } from "../../contract/control/rows.ts";

const seconds = (...values: number[]) => values.map((value) => value * 1_000);

/** D72: waits before each retry, in milliseconds. The first attempt is immediate. */
const waits: Record<Policies["webhook_retries"], readonly number[]> = {
  standard: seconds(5, 30, 120, 600, 1_800, 3_600, 10_800),
  fast: seconds(0.2, 0.5, 1, 2, 5),
  none: [],
};

/**
 * Wait after `attempts` failed attempts; null when the schedule is used up.
 *
 * @param jitter in [0, 1), spreads the wait by ±10 % so that failed deliveries don't retry together
 */
export const nextWaitMs = (schedule: Policies["webhook_retries"], attempts: number, jitter: number): number | null => {
  const wait = waits[schedule][attempts - 1];
  return wait === undefined ? null : Math.round(wait * (0.9 + 0.2 * jitter));
};

/** Last unacknowledged attempt. */
export type Failure = Readonly<NonNullable<Subscription["last_failure"]>>;

/** Health of an address. Times are real, milliseconds since 1970. */
export interface Health {
  readonly last_success_at: number | null;
  /** First failure since the last success; null while healthy. */
  readonly failing_since: number | null;
  /** Last failure; null while healthy. */
  readonly last_failure: Failure | null;
  readonly consecutive_failures: number;
}

/** An address that acknowledged nothing for this long is paused. */
export const PAUSE_AFTER_MS = 3 * 86_400_000;

/** Health after an attempt that ended at `at`. @param failure null for an acknowledged attempt */
export const updateHealth = (health: Health, failure: Failure | null, at: number): Health =>
  failure === null
    ? { last_success_at: at, failing_since: null, last_failure: null, consecutive_failures: 0 }
    : {
        ...health,
        failing_since: health.failing_since ?? at,
        last_failure: failure,
        consecutive_failures: health.consecutive_failures + 1,
      };

/** Checks whether to pause the address until a person resumes it. */
export const shouldPause = ({ failing_since }: Health, at: number): boolean =>
  failing_since !== null && at - failing_since >= PAUSE_AFTER_MS;

/** A delivery that ended after at least one attempt. */
export interface EndedDelivery {
  readonly id: string;
  readonly delivered: boolean;
  readonly attempts_made: number;
  /** From the first attempt to the end. */
  readonly took_ms: number;
  /** Result of the first attempt. */
  readonly first_status: number | null;
  readonly first_error: string | null;
}

const MAX_FAILURES = 3;

/** Percentile of the values; null without values. @param share from 0 to 1 */
const percentile = (values: readonly number[], share: number): number | null =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? null;

/**
 * Summarizes recent deliveries. Shows addresses that look healthy but acknowledge only at a second attempt. @param
 * ended newest first
 */
export const countRecent = (ended: readonly EndedDelivery[]): RecentDeliveries => {
  const failed = ended.filter(({ delivered, attempts_made }) => !delivered || attempts_made > 1);
  const attempts = failed.flatMap(({ delivered, attempts_made }) => (delivered ? attempts_made : []));
  const times = ended.filter(({ delivered }) => delivered).map(({ took_ms }) => took_ms);
  return {
    ended: ended.length,
    at_first_attempt: ended.length - failed.length,
    given_up: failed.length - attempts.length,
    most_attempts: Math.max(0, ...attempts),
    least_attempts: attempts.length === 0 ? 0 : Math.min(...attempts),
    acknowledged_p95_ms: percentile(times, 0.95),
    failures: failed.slice(0, MAX_FAILURES).map(({ id, first_status, first_error, attempts_made, delivered }) => ({
      ...{ delivery_id: id, status: first_status, error: first_error },
      ...{ attempts_made, delivered },
    })),
  };
};
