import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import type { StateName } from "../../../components/state.tsx";
import { formatCount, plural } from "../../../lib/formatting.ts";

/** How an address fares, worst first. */
export const healths = ["paused", "failing", "waiting", "healthy", "unused"] as const;
export type Health = (typeof healths)[number];

type Fares = Pick<Subscription, "paused_at" | "failing_since" | "pending" | "last_success_at">;

/** What keeps notifications from arriving says more than what waits, and that more than that some arrived. */
export const healthOf = ({ paused_at, failing_since, pending, last_success_at }: Fares): Health => {
  if (paused_at !== null) return "paused";
  if (failing_since !== null) return "failing";
  if (pending > 0) return "waiting";
  return last_success_at === null ? "unused" : "healthy";
};

export const healthMarks: Readonly<Record<Health, StateName>> = {
  paused: "skipped",
  failing: "failed",
  waiting: "pending",
  healthy: "delivered",
  unused: "skipped",
};

/** The health in a few words: "3 tries failed", "2 waiting". */
export const healthWords = (subscription: Fares & Pick<Subscription, "consecutive_failures">): string => {
  const health = healthOf(subscription);
  switch (health) {
    case "failing":
      return `${plural(subscription.consecutive_failures, "try", "tries")} failed`;
    case "waiting":
      return `${formatCount(subscription.pending)} waiting`;
    case "unused":
      return "nothing yet";
    default:
      return health;
  }
};

/** Who paused it; the service does when nothing was acknowledged for three days although it was tried. */
export const pausedBy = (by: Subscription["paused_by"]): string =>
  by === "failures" ? "by the service, after three days without a success" : "by a person";
