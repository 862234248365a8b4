import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { formatSpan, plural } from "../../../lib/formatting.ts";

/** "1 job, 2 procurements, 3 subscriptions". */
export const contentsOf = ({ counts }: Pick<World, "counts">): string =>
  [
    plural(counts.jobs, "job"),
    plural(counts.procurements, "procurement"),
    ...(counts.subscriptions > 0 ? [plural(counts.subscriptions, "subscription")] : []),
  ].join(", ");

const MINUTE_MS = 60_000;

/** "resets in 58 min", in whole minutes, the last one in seconds; null when it never does. */
export const leftWords = (leftMs: number | null): string | null => {
  if (leftMs === null) return null;
  if (leftMs <= 0) return "resets any moment";
  return `resets in ${formatSpan(leftMs > MINUTE_MS ? Math.ceil(leftMs / MINUTE_MS) * MINUTE_MS : leftMs)}`;
};

/** Near enough to its end to be seen. */
export const isEnding = (leftMs: number | null): boolean => leftMs !== null && leftMs < 5 * MINUTE_MS;
