import { searchableJobs } from "../storage/jobs-store.ts";
import { indexRows, indexWords, waitsForWords } from "../storage/lists.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import { searchableRequests } from "../storage/requests-store.ts";
import type { OpenWorlds, World } from "./world.ts";

/** A few milliseconds of work, and so long until the next: at most about a tenth of the time, however much waits. */
const ROWS = 100;
/** Exchanges are longer. */
const EXCHANGES = 25;
/**
 * So many exchanges wait while others come: to index one costs a third of what a call costs. A search reads those that
 * wait, so many of them in about a second.
 */
const MOST_WAITING = 30_000;
const WORKING_MS = 50;
const IDLE_MS = 500;

/**
 * Indexes what mutations changed after they are answered: to index a job costs as much as to insert it. A search finds
 * what is not indexed yet all the same, because it looks at those rows themselves.
 */
export class SearchIndexing {
  readonly #worlds: OpenWorlds;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  /** The newest exchange of each world at the last look. */
  readonly #newest = new WeakMap<World, number>();

  /** @param failed called when a world cannot be written; its rows stay for the next time */
  constructor(worlds: OpenWorlds, failed: (error: unknown) => void) {
    this.#worlds = worlds;
    this.#failed = failed;
    this.#later(IDLE_MS);
  }

  #later(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      void this.#step().then((indexed) => this.#later(indexed === 0 ? IDLE_MS : WORKING_MS));
    }, ms);
    this.#timer.unref();
  }

  /** Whether exchanges wait, and few came since the last look or too many wait. */
  #exchangesAreDue(world: World): boolean {
    const { last, waiting } = waitsForWords(world.db, searchableRequests);
    const isQuiet = last - (this.#newest.get(world) ?? 0) <= EXCHANGES;
    this.#newest.set(world, last);
    return waiting > 0 && (isQuiet || waiting > MOST_WAITING);
  }

  /** @returns how many rows were indexed */
  async #step(): Promise<number> {
    let indexed = 0;
    for (const name of this.#worlds.openNames()) {
      if (indexed >= ROWS || this.#stopped) break;
      try {
        const more = this.#worlds.lookIfOpen(name, (world) => {
          const { db } = world;
          const mutationsWait = db.get("SELECT 1 FROM unindexed LIMIT 1") !== undefined;
          if (!mutationsWait && !this.#exchangesAreDue(world)) return 0;
          return world.write(() =>
            mutationsWait
              ? indexRows(db, searchableJobs, ROWS) + indexRows(db, searchableProcurements, ROWS)
              : indexWords(db, searchableRequests, EXCHANGES),
          );
        });
        indexed += (await more) ?? 0;
      } catch (error) {
        this.#failed(error);
      }
    }
    return indexed;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
