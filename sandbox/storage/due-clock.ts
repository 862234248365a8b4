import { realTime } from "./real-time.ts";

/** A clock that loses more than this against the time that has passed was set back. */
const STEP_MS = 1_000;

/**
 * The time that due work is judged by, in milliseconds since 1970: real time, plus what the clock was set back while the
 * process lives. So work waits no longer than its own delay, whatever happens to the clock.
 */
export class DueClock {
  #clock = realTime();
  #passed = performance.now();
  #setBack = 0;

  /** How much the clock was set back so far. */
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
