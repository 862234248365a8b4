import { isDiskFailure } from "../storage/disk-failure.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { ServiceLog } from "./service-log.ts";

/** Minimum time between two messages about a full or failing disk. */
const REPEAT_AFTER_MS = 60_000;

/** Logs background errors. Disk failures are logged once per period: the work is retried, and mutations report them. */
export const troubleLog = (log: ServiceLog): ((error: unknown) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    // Waiting for another node isn't an error.
    if (error instanceof NotDurableError && error.cause === undefined) return;
    const cause = error instanceof NotDurableError ? error.cause : error;
    if (!isDiskFailure(cause)) {
      log.error("background work failed", error);
      return;
    }
    const now = performance.now();
    if (now - saidAt < REPEAT_AFTER_MS) return;
    saidAt = now;
    log.error(
      "the disk accepts no writes: changes are refused, and background work is repeated; free some space or check the data folder",
      cause instanceof Error ? cause.message : cause,
    );
  };
};
