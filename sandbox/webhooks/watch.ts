/** How often connections are looked at. */
const EVERY_MS = 250;
/** A look that comes this much too late says more of this process than of a receiver. */
const LATE_MS = 1_000;

export interface Watched {
  /** Ends what took too long. @param now as `performance.now()` says it */
  check(now: number): void;
  /** Whether there is anything to look at. */
  readonly open: boolean;
  close(): void;
}

/** One timer for the time limits of all connections. */
export class Watch {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | null = null;
  #last = 0;

  add(one: Watched): void {
    this.#watched.add(one);
    if (this.#timer) return;
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
    this.#timer.unref();
  }

  remove(one: Watched): void {
    this.#watched.delete(one);
  }

  #look(): void {
    const now = performance.now();
    const late = now - this.#last > EVERY_MS + LATE_MS;
    this.#last = now;
    // After a standstill answers may lie there that were not read yet.
    if (late) return;
    for (const one of [...this.#watched]) {
      one.check(now);
      if (!one.open) this.#watched.delete(one);
    }
    if (this.#watched.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Ends every connection. */
  closeAll(): void {
    for (const one of this.#watched) one.close();
    this.#watched.clear();
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
