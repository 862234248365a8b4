const HOUR_MS = 3_600_000;
/** Limit of remembered keys, after which it starts over. */
const MAX_KEYS = 10_000;

/** Remembers the keys of the current clock hour. */
export class HourlyDeduplicator {
  readonly #seenKeys = new Set<string>();
  #hour = Number.NaN;

  /** Checks whether a key is new in its hour. @param now milliseconds since 1970 */
  isFirst(key: string, now: number): boolean {
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.#hour) this.clear();
    this.#hour = hour;
    if (this.#seenKeys.has(key)) return false;
    if (this.#seenKeys.size >= MAX_KEYS) this.clear();
    this.#seenKeys.add(key);
    return true;
  }

  clear(): void {
    this.#seenKeys.clear();
  }
}
