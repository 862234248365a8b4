import type { Policies } from "../../contract/control/policies.ts";
import type { RecentDeliveries, Subscription } from "../../contract/control/rows.ts";

const seconds = (...values: number[]) => values.map((value) => value * 1_000);

/** D72: waits in milliseconds before each attempt after the first, which is immediate. */
const waits: Record<Policies["webhook_retries"], readonly number[]> = {
  standard: seconds(5, 30, 120, 600, 1_800, 3_600, 10_800),
  fast: seconds(0.2, 0.5, 1, 2, 5),
  none: [],
};

/**
 * How long to wait after `attempts` failed attempts, or null when the schedule is used up.
 *
 * @param jitter a number in [0, 1): spreads the wait over ±10 % so that many failures do not retry at one instant
 */
export const nextWaitMs = (schedule: Policies["webhook_retries"], attempts: number, jitter: number): number | null => {
  const wait = waits[schedule][attempts - 1];
  return wait === undefined ? null : Math.round(wait * (0.9 + 0.2 * jitter));
};

/** What an attempt came to that was not acknowledged. */
export type Failure = Readonly<NonNullable<Subscription["last_failure"]>>;

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

/** A delivery that has ended after at least one attempt. */
export interface EndedDelivery {
  readonly id: string;
  readonly delivered: boolean;
  readonly attempts_made: number;
  /** From the first attempt to the end, in milliseconds. */
  readonly took_ms: number;
  /** What the first attempt came to. */
  readonly first_status: number | null;
  readonly first_error: string | null;
}

const MOST_FAILURES = 3;

/** The value that so much of all, of 1, do not exceed; null of nothing. */
const percentile = (values: readonly number[], share: number): number | null =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? null;

/** How deliveries went. An address that acknowledges at a second attempt looks well and is not. @param ended newest first */
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
    failures: failed.slice(0, MOST_FAILURES).map(({ id, first_status, first_error, attempts_made, delivered }) => ({
      ...{ delivery_id: id, status: first_status, error: first_error },
      ...{ attempts_made, delivered },
    })),
  };
};
