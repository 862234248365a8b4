import type { Policies } from "../contract/control/policies.ts";

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
