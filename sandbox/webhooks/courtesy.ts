/** How calls are counted: in spans of so many milliseconds. */
const SPAN_MS = 25;
/** So many calls within a span that are notified of keep a processor busy. */
const BUSY_CALLS = 64;
/** Notifications that leave beside as many calls: until what waits has waited for the first, all from the second on. */
const LEAST_SHARE = 0.125;
const SHORT_LAG_MS = 1_500;
const LONG_LAG_MS = 3_000;
/** However few calls there were, so many may leave in a span. */
const LEAST_A_SPAN = 16;

const shareAt = (lagMs: number): number => {
  if (lagMs >= LONG_LAG_MS) return Number.POSITIVE_INFINITY;
  const late = Math.max(0, (lagMs - SHORT_LAG_MS) / (LONG_LAG_MS - SHORT_LAG_MS));
  return LEAST_SHARE + late * (1 - LEAST_SHARE);
};

/**
 * Lets callers go first. Deliveries share one thread with the calls that cause them: while as many calls come in as it
 * can answer, an eighth as many notifications leave, and the rest follows when the rush is over or has lasted for
 * seconds. Where there is no rush nothing is held back.
 *
 * @typeParam T who may have to wait
 */
export class Courtesy<T> {
  readonly #goOn: (waited: readonly T[]) => void;
  readonly #now: () => number;
  readonly #waiting = new Set<T>();
  #timer: NodeJS.Timeout | null = null;
  #since = 0;
  #calls = 0;
  #callsBefore = 0;
  #left = 0;
  #lagMs = 0;

  /**
   * @param goOn called with those that waited once they may send again
   * @param now milliseconds, for measuring spans
   */
  constructor(goOn: (waited: readonly T[]) => void, now: () => number = () => performance.now()) {
    this.#goOn = goOn;
    this.#now = now;
  }

  /** A call was answered that somebody is notified of. */
  called(): void {
    this.#roll();
    this.#calls += 1;
  }

  /** How many notifications may leave now. */
  get left(): number {
    this.#roll();
    return this.#isBusy() ? Math.max(0, this.#left) : Number.POSITIVE_INFINITY;
  }

  /** So many left; the first of them had waited for so long, in milliseconds. */
  sent(count: number, lagMs: number): void {
    this.#left -= count;
    this.#lagMs = lagMs;
  }

  /** Takes note of one that may not send now. */
  wait(one: T): void {
    this.#waiting.add(one);
    this.#timer ??= setTimeout(() => this.#end(), SPAN_MS).unref();
  }

  forget(one: T): void {
    this.#waiting.delete(one);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting.clear();
  }

  #isBusy(): boolean {
    return Math.max(this.#calls, this.#callsBefore) >= BUSY_CALLS;
  }

  #roll(): void {
    const now = this.#now();
    const passed = now - this.#since;
    if (passed < SPAN_MS) return;
    this.#callsBefore = passed < 2 * SPAN_MS ? this.#calls : 0;
    this.#calls = 0;
    this.#since = now;
    this.#left = Math.max(LEAST_A_SPAN, Math.round(this.#callsBefore * shareAt(this.#lagMs)));
  }

  #end(): void {
    this.#timer = null;
    const waited = [...this.#waiting];
    this.#waiting.clear();
    this.#goOn(waited);
  }
}
