const HOUR_MS = 3_600_000;
/** So many keys are known at once; with one more it begins again. */
const MOST = 10_000;

/** Keys that came in this hour of the clock. */
export class HourlyDeduplicator {
  readonly #seen = new Set<string>();
  #hour = Number.NaN;

  /** Whether a key comes for the first time in its hour. @param now milliseconds since 1970 */
  isFirst(key: string, now: number): boolean {
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.#hour) this.clear();
    this.#hour = hour;
    if (this.#seen.has(key)) return false;
    if (this.#seen.size >= MOST) this.clear();
    this.#seen.add(key);
    return true;
  }

  clear(): void {
    this.#seen.clear();
  }
}
