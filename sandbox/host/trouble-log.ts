import { isDiskFailure } from "../storage/disk-failure.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { ServiceLog } from "./service-log.ts";

/** A disk that takes nothing says so with every try; one sentence in this time is enough. */
const SAY_EVERY_MS = 60_000;

/**
 * Says what went wrong behind the answers. Of a disk that is full or fails, one sentence and no more for a while: all of
 * it is tried again, and whoever changes something is told in the answer.
 */
export const troubleLog = (log: ServiceLog): ((error: unknown) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const cause = error instanceof NotDurableError ? error.cause : error;
    if (!isDiskFailure(cause)) {
      log.error("background work failed", error);
      return;
    }
    const now = performance.now();
    if (now - saidAt < SAY_EVERY_MS) return;
    saidAt = now;
    log.error(
      "the disk takes nothing: changes are refused, and work behind the answers is tried again; free some space or check the data folder",
      cause instanceof Error ? cause.message : cause,
    );
  };
};
