import { isDiskFailure } from "../storage/disk-failure.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { ServiceLog } from "./service-log.ts";

/** A disk that accepts no writes says so at every write; one sentence in this time is enough. */
const SAY_EVERY_MS = 60_000;

/**
 * Logs what fails in the background. Of a disk that is full or fails, one sentence and no more for a while: all of that is
 * repeated, and the answers to mutations say it.
 */
export const troubleLog = (log: ServiceLog): ((error: unknown) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    // Somebody has to wait for another machine, which is nothing that went wrong here.
    if (error instanceof NotDurableError && error.cause === undefined) return;
    const cause = error instanceof NotDurableError ? error.cause : error;
    if (!isDiskFailure(cause)) {
      log.error("background work failed", error);
      return;
    }
    const now = performance.now();
    if (now - saidAt < SAY_EVERY_MS) return;
    saidAt = now;
    log.error(
      "the disk accepts no writes: changes are refused, and background work is repeated; free some space or check the data folder",
      cause instanceof Error ? cause.message : cause,
    );
  };
};
