import { isDiskFailure } from "../storage/disk-failure.ts";
import { NotDurableError } from "../storage/writer.ts";
import type { ServiceLog } from "./service-log.ts";

/** What fails in the background is tried again, and most of it fails again: to say it once in this time is enough. */
const SAY_EVERY_MS = 60_000;
const MOST_SAID = 1_000;

/** Logs what fails in the background. Of a disk that is full or fails, one sentence: the answers to mutations say it too. */
export const troubleLog = (log: ServiceLog): ((error: unknown) => void) => {
  const saidAt = new Map<string, number>();
  return (error) => {
    // Somebody has to wait for another machine, which is nothing that went wrong here.
    if (error instanceof NotDurableError && error.cause === undefined) return;
    const cause = error instanceof NotDurableError ? error.cause : error;
    const isOfDisk = isDiskFailure(cause);
    const what = isOfDisk ? "disk" : String(cause);
    const now = performance.now();
    if (now - (saidAt.get(what) ?? Number.NEGATIVE_INFINITY) < SAY_EVERY_MS) return;
    if (saidAt.size >= MOST_SAID) saidAt.clear();
    saidAt.set(what, now);
    if (!isOfDisk) log.error("background work failed", error);
    else
      log.error(
        "the disk accepts no writes: changes are refused, and background work is repeated; free some space or check the data folder",
        cause instanceof Error ? cause.message : cause,
      );
  };
};
