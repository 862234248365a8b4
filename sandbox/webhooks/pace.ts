/** The most requests that are under way at once over one connection. */
export const MOST_UNDER_WAY = 48;
/** An answer within this is quick; one that takes longer than the other makes whoever sends careful. Milliseconds. */
const QUICK_MS = 25;
const SLOW_MS = 250;
/** Acknowledgements until a connection that ended with something under way is trusted again; doubles each time. */
const FIRST_CAUTION = 256;
const LONGEST_CAUTION = 16_384;

/** What an answer says of a receiver. */
export interface Pulse {
  readonly acknowledged: boolean;
  readonly durationMs: number;
}

/**
 * How many notifications may be under way to one receiver: one, until it has acknowledged so many so quickly, one after
 * the other, that waiting for each is what takes the time; and one again as soon as anything goes otherwise. They follow
 * one another on one connection, so that they arrive in order however many there are.
 */
export class Pace {
  #window = 1;
  #run = 0;
  #caution = FIRST_CAUTION;
  #careful = 0;

  get window(): number {
    return this.#window;
  }

  /** Whether a connection may be used again: one that was closed without a word takes with it what is on the way. */
  get keeps(): boolean {
    return this.#careful === 0;
  }

  ended({ acknowledged, durationMs }: Pulse): void {
    if (!acknowledged || durationMs > SLOW_MS) {
      this.#begin();
      return;
    }
    if (this.#careful > 0) this.#careful -= 1;
    else if (durationMs <= QUICK_MS && this.#window < MOST_UNDER_WAY) this.#grow();
  }

  #grow(): void {
    this.#run += 1;
    if (this.#run < 2 * this.#window) return;
    this.#run = 0;
    this.#window = Math.min(MOST_UNDER_WAY, this.#window * 2);
  }

  #begin(): void {
    this.#window = 1;
    this.#run = 0;
  }

  /** A connection ended with requests under way that were not answered, and have to go again. */
  lost(): void {
    this.#begin();
    this.#careful = this.#caution;
    this.#caution = Math.min(LONGEST_CAUTION, this.#caution * 2);
  }
}
