/** Longest time a read works before it yields to the event loop, in milliseconds. */
const SLICE_MS = 8;
/** Reads of one caller that alternate. Further ones wait until one of them ends. */
const MAX_ALTERNATING = 4;

/**
 * A long read that yields so that other work can run, without an open statement. It receives the time to yield at, by
 * `performance.now()`.
 */
export type SlicedRead<T> = Generator<void, T, number>;

/** Maps every item and drops undefined results. Yields between items. */
export function* mapSliced<From, Item>(
  all: Iterable<From>,
  itemOf: (one: From) => Item | undefined,
): SlicedRead<Item[]> {
  const items: Item[] = [];
  for (const one of all) {
    const item = itemOf(one);
    if (item !== undefined) items.push(item);
    yield;
  }
  return items;
}

interface WaitingRead {
  /** Reads until a time. @returns whether the read has ended */
  readonly work: (until: number) => boolean;
}

/**
 * Schedules long reads: each turn of the event loop runs one slice, and callers alternate regardless of how many reads
 * each has.
 */
export class SlicedReads {
  /** Waiting reads by caller, next caller first. */
  readonly #waiting = new Map<string, WaitingRead[]>();
  #scheduled = false;

  /**
   * @param hungUp aborted when the caller disconnects; ends the read
   * @throws the signal's reason after an abort
   */
  run<T>(caller: string, hungUp: AbortSignal, read: () => SlicedRead<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const slices = read();
      const work = (until: number): boolean => {
        try {
          hungUp.throwIfAborted();
          do {
            const step = slices.next(until);
            if (step.done) {
              resolve(step.value);
              return true;
            }
          } while (performance.now() < until);
          return false;
        } catch (error) {
          reject(error);
          return true;
        }
      };
      const reads = this.#waiting.get(caller);
      if (reads) reads.push({ work });
      else this.#waiting.set(caller, [{ work }]);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    const [next] = this.#waiting;
    if (!next) return;
    const [caller, reads] = next;
    const read = reads.shift();
    // Moves the caller to the end of the queue.
    this.#waiting.delete(caller);
    if (read && !read.work(performance.now() + SLICE_MS)) reads.splice(MAX_ALTERNATING - 1, 0, read);
    if (reads.length > 0) this.#waiting.set(caller, reads);
    this.#schedule();
  }
}
