/** Longest time a read works before it yields to the event loop, in milliseconds. */
const SLICE_MS = 8;
/** As many reads of one caller alternate; those that came later wait until one of them has ended. */
const AT_ONCE = 4;

/**
 * A read that may take long. It yields wherever others may be served, with no statement under way, and is handed until
 * when it may go on, by `performance.now()`.
 */
export type SlicedRead<T> = Generator<void, T, number>;

/** Maps every item and leaves out undefined results; yields between items. */
export function* eachOf<From, Item>(all: Iterable<From>, itemOf: (one: From) => Item | undefined): SlicedRead<Item[]> {
  const items: Item[] = [];
  for (const one of all) {
    const item = itemOf(one);
    if (item !== undefined) items.push(item);
    yield;
  }
  return items;
}

interface Waiting {
  /** Reads until a moment. @returns whether the read has ended */
  readonly work: (until: number) => boolean;
}

/**
 * All long reads of a service: each turn of the event loop works at one slice of one of them, and callers take turns,
 * however many reads each has asked for.
 */
export class SlicedReads {
  /** What waits, by caller; the caller whose turn it is first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #scheduled = false;

  /**
   * Carries out a read.
   *
   * @param hungUp nobody waits for it any more: it is ended wherever it is
   * @throws the signal's reason when it was aborted
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
    // Behind the other callers, until it is their turn again.
    this.#waiting.delete(caller);
    if (read && !read.work(performance.now() + SLICE_MS)) reads.splice(AT_ONCE - 1, 0, read);
    if (reads.length > 0) this.#waiting.set(caller, reads);
    this.#schedule();
  }
}
