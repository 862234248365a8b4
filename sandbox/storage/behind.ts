import type { Database } from "./database.ts";

/**
 * Runs a write that nobody waits for, in a transaction of its own and not on disk when it returns: the next change that
 * waits for the disk takes it along. Never call it inside another write.
 */
export const behind = <T>(db: Database, run: () => T): T => {
  db.waitForDisk(false);
  try {
    return db.handle.transaction(run).immediate();
  } finally {
    db.waitForDisk(true);
  }
};
