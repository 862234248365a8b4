import { realTime } from "./real-time.ts";

/** A clock that lags elapsed time by more than this was set back. */
const STEP_MS = 1_000;

/**
 * Time for due work, in milliseconds since 1970: real time plus all backward steps of the clock since the process
 * started. So a step back never prolongs a delay.
 */
export class DueClock {
  #clock = realTime();
  #passed = performance.now();
  #setBack = 0;

  /** Sum of the backward steps so far, in milliseconds. */
  get setBack(): number {
    this.now();
    return this.#setBack;
  }

  now(): number {
    const [clock, passed] = [realTime(), performance.now()];
    const lost = Math.round(passed - this.#passed) - (clock - this.#clock);
    if (lost > STEP_MS) this.#setBack += lost;
    this.#clock = clock;
    this.#passed = passed;
    return clock + this.#setBack;
  }
}
